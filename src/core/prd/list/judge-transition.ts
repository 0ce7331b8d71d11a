import { capPrefix, type KnownTask, type ListedTask, type ReviewFields, type ReviewTurn } from "./task-file.ts";
import { fillText, reviewText, ruleTexts, transitionText, type Violation, type ViolationKind } from "./violation.ts";

/** What a turn did to one task's review fields: nothing, the step of its role, or something illegal. */
export type TransitionVerdict =
  | { kind: "unchanged" | "step"; violation: null }
  | { kind: "illegal"; violation: Violation };

/** Check 2.5 for one existing task. Another rule checks that a turn makes only one step. */
export function judgeTransition(known: KnownTask, task: ListedTask, turn: ReviewTurn): TransitionVerdict {
  const changed = reviewFieldNames.filter((field) => known[field] !== undefined && known[field] !== task[field]);
  if (changed.length === 0) return { kind: "unchanged", violation: null };
  const violation = {
    implement: () => judgeImplement(known, task, changed),
    review: () => judgeReview(known, task, turn),
    "review-fix": () => judgeFix(known, task, changed),
  }[turn.role]();
  return violation === null ? { kind: "step", violation } : { kind: "illegal", violation };
}

/** The fields that only certain roles may change, most severe first. */
export const reviewFieldNames = ["passes", "reviewStatus", "reviewCount", "reviewFeedback"] as const;
type FieldName = keyof ReviewFields;

/** Work is submitted: `null → needs_review`, and nothing else (S4-52, S4-53). */
function judgeImplement(known: KnownTask, task: ListedTask, changed: readonly FieldName[]): Violation | null {
  const isSubmitted = known.reviewStatus === null && task.reviewStatus === "needs_review" && !task.passes;
  const wrong = changed.find((field) => field !== "reviewStatus" || !isSubmitted);
  return wrong === undefined ? null : transition("implement", wrong, known, task);
}

/** A verdict on submitted work: the count goes up by one, and the task is approved or sent back (S4-55, S4-56). */
function judgeReview(known: KnownTask, task: ListedTask, { reviewCap }: ReviewTurn): Violation | null {
  const refuse = (field: FieldName, details: string, kind: ViolationKind = "transition"): Violation => ({
    taskId: task.id,
    field,
    from: known[field] ?? null,
    to: task[field],
    kind,
    message: reviewText(task.id, details),
  });
  const { passes, reviewStatus, reviewCount, reviewFeedback } = task;
  if (known.reviewStatus !== "needs_review")
    return refuse("reviewStatus", `reviewStatus was ${String(known.reviewStatus)}, only needs_review can be reviewed`);
  if (reviewCount !== known.reviewCount + 1)
    return refuse(
      "reviewCount",
      `reviewCount ${known.reviewCount} → ${reviewCount}, expected ${known.reviewCount + 1}`,
    );
  if (reviewStatus !== "approved" && reviewStatus !== "changes_requested")
    return refuse("reviewStatus", `reviewStatus ${String(reviewStatus)} is not a verdict`);
  if (passes !== (reviewStatus === "approved"))
    return refuse("passes", `reviewStatus ${reviewStatus} with passes=${passes}`);
  const isOpen = reviewFeedback.trim() !== "";
  if (reviewStatus === "changes_requested" && !isOpen)
    return refuse("reviewFeedback", "changes_requested without reviewFeedback", "feedback");
  if (reviewStatus === "approved" && isOpen && reviewCount >= reviewCap && !reviewFeedback.startsWith(capPrefix))
    return {
      ...refuse("reviewFeedback", "", "cap"),
      message: fillText(ruleTexts.prefixMissing, { id: task.id, prefix: capPrefix }),
    };
  return null;
}

/** Feedback was addressed: back to review, with empty feedback and an unchanged count (S4-58, S4-59). */
function judgeFix(known: KnownTask, task: ListedTask, changed: readonly FieldName[]): Violation | null {
  const isReturned = known.reviewStatus === "changes_requested" && task.reviewStatus === "needs_review";
  const isAllowed = (field: FieldName): boolean =>
    isReturned && (field === "reviewStatus" || field === "reviewFeedback");
  const wrong = changed.find((field) => !isAllowed(field));
  if (wrong !== undefined) return transition("review-fix", wrong, known, task);
  if (task.reviewFeedback.trim() === "") return null;
  return {
    taskId: task.id,
    field: "reviewFeedback",
    from: known.reviewFeedback ?? null,
    to: task.reviewFeedback,
    kind: "feedback",
    message: fillText(ruleTexts.feedbackNotCleared, { id: task.id }),
  };
}

function transition(role: "implement" | "review-fix", field: FieldName, known: KnownTask, task: ListedTask): Violation {
  const change = { id: task.id, field, from: known[field] ?? null, to: task[field] };
  return {
    taskId: task.id,
    field,
    from: change.from,
    to: change.to,
    kind: "transition",
    message: transitionText(role, change),
  };
}
