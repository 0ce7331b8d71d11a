import { isFailedTurn, type TurnReport } from "../agents/turn-report.ts";
import type { TurnRole } from "../contract/assignment.ts";
import type { GateStop, Outcome } from "../run/outcome.ts";
import type { Revision } from "../run/revision.ts";
import { isListComplete } from "./choose-role.ts";
import { findDependencyFaults } from "./list/dependencies.ts";
import { removedChecks } from "./revision.ts";
import { checkStanding } from "./list/task-file-rules.ts";
import type { ReviewOptions, TaskFile } from "./list/task-file.ts";

/** Why a list cannot be worked on, and the review cap that would allow it; null: it can (CW-4A). */
export function findStartFault(file: TaskFile, review: ReviewOptions): StartFault | null {
  if (file.tasks.length === 0) return { kind: "no-stories" };
  const wrong = checkStanding(file, { ...review, atCap: "hold" });
  if (wrong.length === 0) return null;
  const sentences = wrong.map(({ message }) => message);
  return { kind: "out-of-order", sentences, capNeeded: capNeeded(file, review) };
}

export type StartFault =
  | { kind: "no-stories" }
  | { kind: "out-of-order"; sentences: string[]; capNeeded: number | null };

/** A list that can never be finished needs no run (CW-4G). A finished one does: its checks are still to be asked. */
export function outcomeWithoutRun(file: TaskFile, review: ReviewOptions): Outcome | null {
  if (isListComplete(file, review)) return null;
  const faults = findDependencyFaults(file);
  if (faults.length === 0) return null;
  return { name: "stopped", reason: `the list can never be finished. ${faults.join(" ")}` };
}

/**
 * Whether the approvals of a list are nobody's evidence. Each is given by a review in a fresh context, unless reviews are skipped;
 * before the first turn the run has seen none of them, and anybody can have written them into the list.
 */
export function areApprovalsUnseen(isReviewSkipped: boolean, iteration: number): boolean {
  return isReviewSkipped || iteration === 0;
}

/** Whether a review counts, by the paths that changed in it; null: nobody can tell. A reviewer fixes nothing (S4-68). */
export function judgeReview(changed: readonly string[] | null): "counts" | "unknown" | "refused" {
  if (changed === null) return "unknown";
  return changed.length === 0 ? "counts" : "refused";
}

/** The agent of a role: reviews may have one of their own (CB-16). */
export function agentOfRole<Agent>(role: TurnRole | null, reviewer: Agent | undefined): Agent | undefined {
  return role === "review" ? reviewer : undefined;
}

/** Whether a turn on the list ended normally; without a report nobody knows how far the agent came. */
export function isTurnBroken(report: TurnReport | null): boolean {
  return report === null || report.isCut || isFailedTurn(report);
}

/** How a run ends whose list could not be put in order, or whose refused review could not be undone: nothing may follow. */
export function stopUnsettled(reason: string): GateStop {
  return { name: "failed", reason };
}

/** What a person must agree to before a run continues with a list that people edited; null: nothing. */
export function consentNeeded(revision: Revision | null): string | null {
  const removed = revision === null ? [] : removedChecks(revision);
  return removed.length === 0 ? null : `The task list checks less than before: ${removed.join(" ")}`;
}

/** The cap under which every count of the list is possible; null when the counts are not what is wrong. */
function capNeeded(file: TaskFile, { reviewCap }: ReviewOptions): number | null {
  const highest = Math.max(...file.tasks.map(({ reviewCount }) => reviewCount));
  return highest > reviewCap + 1 ? highest : null;
}
