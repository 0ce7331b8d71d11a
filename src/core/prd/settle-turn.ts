import type { GateStop } from "../run/outcome.ts";
import type { Assignment } from "../contract/assignment.ts";
import { chooseRole, type RoleChoice } from "./choose-role.ts";
import { findDependencyFaults } from "./list/dependencies.ts";
import { countRefusedReview, refuseApprovals, refuseVerdicts, type ReviewLists } from "./refuse-verdict.ts";
import { repairTaskFile } from "./list/repair-task-file.ts";
import { findApprovedAtCap, settleAtCap } from "./settle-at-cap.ts";
import { type ListedTask, type ReviewTurn, shownCap, type TaskFile } from "./list/task-file.ts";
import { findMissingStep } from "./list/task-file-rules.ts";
import { fillText } from "./list/violation.ts";

/** What is known about the turn besides its edits of the list. */
export type TurnFacts = {
  /** The turn did not fail, and every check is green. */
  isApprovalAllowed: boolean;
  /** The turn did not end normally; its review does not count. */
  isTurnFailed: boolean;
  /** The run ended before the checks of the turn ran; its review is neither accepted nor counted. */
  isUnproven: boolean;
  /** Why every verdict of this turn is refused; null: no reason. */
  refusal: string | null;
};

/** The repaired list after a turn, and what follows from it. */
export type SettledTurn = {
  file: TaskFile;
  isComplete: boolean;
  /** Null: no turn follows. */
  assignment: Assignment | null;
  /** Sentences for the next prompt. */
  violations: string[];
  remark: string | null;
  stop: GateStop | null;
};

/** Judges a turn's edits of the task list: undoes, refuses, settles at the cap, and chooses what is next. Pure. */
export function settleTurn(
  lists: { before: TaskFile; after: TaskFile },
  turn: ReviewTurn,
  facts: TurnFacts,
): SettledTurn {
  const { before, after } = lists;
  const repair = repairTaskFile(before, after, turn);
  const missing = facts.isApprovalAllowed && facts.refusal === null ? findMissingStep(before, after, turn) : null;
  const judged = judgeVerdict(before, repair.file, { turn, facts });
  const counted = countReview({ before, after, settled: judged.file }, turn, facts);
  const { file } = settleAtCap(counted.file, turn, { areChecksGreen: facts.isApprovalAllowed });
  const faultsBefore = new Set(findDependencyFaults(before));
  const atCap = findApprovedAtCap(file);
  const choice = chooseRole(file, turn);
  return {
    file,
    isComplete: choice.kind === "complete",
    assignment: choice.kind === "turn" ? { role: choice.role, taskId: choice.taskId } : null,
    violations: [
      ...repair.violations.map(({ message }) => message),
      ...(missing === null ? [] : [missing.message]),
      ...judged.sentences,
      ...counted.sentences,
      ...findDependencyFaults(file).filter((fault) => !faultsBefore.has(fault)),
    ],
    remark: atCap.length === 0 ? null : `Approved at the review cap with open feedback: ${atCap.join(", ")}.`,
    stop: judged.stop ?? stopOf(choice, facts),
  };
}

/** Sentences about refused verdicts. */
export const refusalTexts = {
  failed: "The turn that reviewed story {id} failed before its end; its verdict was undone, review the story again.",
  unproven:
    "The run was stopped before the checks of the turn that reviewed story {id}; its verdict was undone, review the story again.",
  red: "Story {id} was approved, but the turn failed or a check is red; the approval was undone. Approve only what every check has passed; a reviewer who finds a red check requests changes.",
  counted: "The review of story {id} is refused, but it counts: reviewCount is now {count}, the review cap is {cap}.",
  held: "Story {id} is held at the review cap of {cap}: it was approved, but a check is red.",
} as const;

type Judged = { file: TaskFile; sentences: string[]; stop: GateStop | null };

function judgeVerdict(
  before: TaskFile,
  file: TaskFile,
  { turn, facts }: { turn: ReviewTurn; facts: TurnFacts },
): Judged {
  const isReview = turn.role === "review" && !turn.isReviewSkipped;
  if (isReview && facts.refusal !== null)
    return { file: refuseVerdicts(before, file).file, sentences: [facts.refusal], stop: null };
  if (isReview && (facts.isTurnFailed || facts.isUnproven)) {
    const text = facts.isTurnFailed ? refusalTexts.failed : refusalTexts.unproven;
    const { file: restored, refused } = refuseVerdicts(before, file);
    return { file: restored, sentences: refused.map(({ id }) => fillText(text, { id })), stop: null };
  }
  if (facts.isApprovalAllowed) return { file, sentences: [], stop: null };
  const { file: restored, refused } = refuseApprovals(before, file);
  const sentences = refused.map(({ id }) => fillText(refusalTexts.red, { id }));
  return { file: restored, sentences, stop: isReview ? heldAtCap(refused, turn) : null };
}

/** A turn that did not end normally is not a review, whatever it wrote. */
function countReview(lists: ReviewLists, turn: ReviewTurn, facts: TurnFacts): { file: TaskFile; sentences: string[] } {
  if (turn.role !== "review" || turn.isReviewSkipped || facts.isTurnFailed || facts.isUnproven)
    return { file: lists.settled, sentences: [] };
  const { file, refused } = countRefusedReview(lists, turn.taskId, facts.refusal !== null);
  const sentences = refused.map(({ id, reviewCount: count }) =>
    fillText(refusalTexts.counted, { id, count, cap: shownCap(turn) }),
  );
  return { file, sentences };
}

/** No review is left, and the last verdict was refused: a person must decide. */
function heldAtCap(refused: readonly ListedTask[], turn: ReviewTurn): GateStop | null {
  const last = refused.find(({ reviewCount }) => reviewCount >= turn.reviewCap);
  const cap = shownCap(turn);
  return last === undefined ? null : { name: "waiting", reason: fillText(refusalTexts.held, { id: last.id, cap }) };
}

function stopOf(choice: RoleChoice, { isApprovalAllowed }: TurnFacts): GateStop | null {
  if (choice.kind === "stuck") return { name: "stopped", reason: choice.reason };
  if (choice.kind !== "held") return null;
  const why = isApprovalAllowed ? "" : " A check is red.";
  return { name: "waiting", reason: `${choice.reason}${why} Look at its feedback, edit the task file and resume.` };
}
