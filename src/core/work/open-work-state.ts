import type { Spend } from "../agents/spend.ts";
import { hasShape, list, number, objectOf, optional, type Shape, shapeProblem, text } from "../shape/shape.ts";
import { spendShape } from "../run/upgrade/evidence-shapes.ts";
import type { RunState } from "../run/state.ts";
import type { BranchTip, VerifiedTip } from "./tip-place.ts";
import type { Outcome } from "../run/outcome.ts";
import { emptyBook, endsOf, type WorkState, workVersion } from "./work-state.ts";

/** A stored work run as its engine takes it, or why it cannot be used. `isTakenOver`: an earlier version stored it. */
export type OpenedWork = { state: WorkState; isTakenOver: boolean } | { problem: string };

type StoredBook = {
  version: number;
  tipSpend: Spend;
  tip?: BranchTip | undefined;
  verified?: VerifiedTip[] | undefined;
};

/** The part of a stored book that a resume uses; tasks and role runs are read again. */
const bookShape: Shape<StoredBook> = objectOf<StoredBook>({
  version: number,
  tipSpend: spendShape,
  tip: optional(objectOf<BranchTip>({ branch: text, commit: text })),
  verified: optional(list(objectOf<VerifiedTip>({ taskId: text, commit: text }))),
});

/**
 * Opens the state of a stored work run. Version 0 is a run record without a book: its resume takes over what the tasks
 * and the role runs tell. A newer version is refused.
 */
export function openWorkState(stored: RunState & { work?: unknown }): OpenedWork {
  const { work, ...run } = stored;
  if (work === undefined) return { state: { ...run, work: emptyBook }, isTakenOver: true };
  if (!hasShape(bookShape, work)) return { problem: shapeProblem(bookShape, work) ?? "its tasks are incomplete" };
  if (work.version > workVersion)
    return { problem: `its tasks have version ${work.version}, and this ralph knows versions up to ${workVersion}` };
  const { tip, verified, ...others } = work;
  const branch = { ...(tip === undefined ? {} : { tip }), ...(verified === undefined ? {} : { verified }) };
  return { state: { ...run, work: { ...emptyBook, ...others, ...branch, version: workVersion } }, isTakenOver: false };
}

/** The ids of the role runs that ended, as a stored work run knows them; none where it cannot be opened. */
export function endedRoles(stored: RunState & { work?: unknown }): string[] {
  const opened = openWorkState(stored);
  if ("problem" in opened) return [];
  return Object.entries(opened.state.work.roles).flatMap(([id, { end }]) => (end === null ? [] : [id]));
}

/**
 * Whether a completed work run rests on evidence: a task was done in it, and none of those that were done rests on the
 * agents' word alone. False also where its state cannot be opened.
 */
function isWorkVerified(stored: RunState & { work?: unknown }): boolean {
  const opened = openWorkState(stored);
  if ("problem" in opened) return false;
  const done = endsOf(opened.state).filter(({ status }) => status === "done");
  return done.length > 0 && done.every(({ outcome }) => outcome !== null && outcome.isVerified !== false);
}

/** The outcome of a work run as people and programs get it: the stored one says only where it is not verified. */
export function withVerified(outcome: Outcome, stored: RunState & { work?: unknown }): Outcome {
  return outcome.name === "completed" ? { ...outcome, isVerified: isWorkVerified(stored) } : outcome;
}
