import type { ReviewRole } from "./task-file.ts";

/** The kind of rule that an edit broke. */
export type ViolationKind =
  | "notes"
  | "out-of-sync"
  | "feedback"
  | "count"
  | "cap"
  | "transition"
  | "second-task"
  | "new-task"
  | "deleted-task"
  | "frozen"
  | "no-step";

/** One broken rule, as data: the sentence tells the agent, the rest is evidence. `taskId` null: the file itself. */
export type Violation = {
  taskId: string | null;
  field: string;
  from: unknown;
  to: unknown;
  kind: ViolationKind;
  message: string;
};

/** Texts with fixed wording (S4-46, S4-54, S4-57, S4-60), with `{name}` for values. */
export const prescribedTexts = {
  passesUnapproved:
    "Story {id} has passes=true but reviewStatus is '{reviewStatus}', not 'approved'. Only review iterations may approve stories. Set passes back to false or complete the review cycle.",
  implement:
    "Implement iterations cannot set passes=true or approve stories. Only review iterations may approve. Story {id} had illegal transition: {field} {old} → {new}.",
  review: "Review iteration made illegal transition on story {id}: {details}.",
  reviewFix:
    "Review-fix iterations cannot approve stories. Story {id} must go back to needs_review for re-review. Illegal transition: {field} {old} → {new}.",
} as const;

/** Our own texts of the same kind. */
export const ruleTexts = {
  notes: "Story {id} has passes=true but notes is empty. Write in notes what was done and how it was verified.",
  approvedNotPassing:
    "Story {id} has reviewStatus 'approved' but passes=false; they are out of sync. An approved story has passes=true.",
  feedbackRequired:
    "Story {id} has reviewStatus 'changes_requested' but reviewFeedback is empty; feedback is required. Name each issue to be fixed.",
  countRange:
    "Story {id} has reviewCount {count}, expected 0 to {max} with a review cap of {cap}. The file is corrupt or was edited, or the cap was lowered.",
  refusedAtCap:
    "Story {id} has had {count} reviews and the review cap is {cap}: it can only be approved. Set reviewStatus to 'approved' and passes to true, and begin reviewFeedback with {prefix} if issues remain.",
  prefixMissing:
    "Story {id} was approved at the review cap with open feedback: reviewFeedback must begin with {prefix}.",
  secondSubmitted:
    "Implement iterations work on one story. Story {id} had illegal transition: reviewStatus null → needs_review, but story {other} was submitted already.",
  newTask:
    "Story {id} is new and must start with passes=false, reviewStatus null and reviewCount 0. Illegal value: {field} {new}.",
  deleted:
    "Story {id} was deleted. A story may only go when it was split and stories not done yet name it in splitFrom; put it back.",
  deletedUnderReview:
    "Story {id} was deleted although its work has begun; only a story not submitted yet may be split.",
  criteriaFrozen: "Story {id}: acceptanceCriteria must not change during a run. Add a new story instead.",
  originFrozen:
    "Story {id}: splitFrom must not change once the story is in the list. To split a story, add new stories that name it in splitFrom.",
  commandsFrozen: "verifyCommands must not change during a run.",
  feedbackNotCleared:
    "Story {id} went back to needs_review with reviewFeedback left. Address every item, then clear reviewFeedback.",
  noVerdict:
    "This is a review iteration and no story was reviewed. Review story {id}: raise reviewCount by one and approve it, or request changes with feedback.",
  noFix:
    "This is a review-fix iteration and no story was fixed. Address the feedback of story {id}, clear reviewFeedback and set reviewStatus to 'needs_review'.",
} as const;

/** Fills a text's `{name}`s in one pass; values are not scanned again. */
export function fillText(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? shownValue(values[name]) : whole,
  );
}

/** The sentence about an illegal transition of a role. */
export function transitionText(role: ReviewRole, change: { id: string; field: string; from: unknown; to: unknown }) {
  const { id, field, from, to } = change;
  if (role === "review") return reviewText(id, `${field} ${shownValue(from)} → ${shownValue(to)}`);
  const text = role === "implement" ? prescribedTexts.implement : prescribedTexts.reviewFix;
  return fillText(text, { id, field, old: from, new: to });
}

/** The sentence about an illegal review. */
export function reviewText(id: string, details: string): string {
  return fillText(prescribedTexts.review, { id, details });
}

/** Long feedback would hide the rest of the sentence. */
const valueCharsMax = 200;

function shownValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === "") return '""';
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax - 3)}...` : text;
}
