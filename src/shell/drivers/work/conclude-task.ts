import { assert } from "../../../core/assert.ts";
import type { Outcome } from "../../../core/run/outcome.ts";
import { backFromTip } from "../../../core/work/next-step.ts";
import { describeEvidence } from "../../../core/work/role-evidence.ts";
import type { TaskProgress, TaskStatus, UnverifiedTip } from "../../../core/tasks/task.ts";
import type { WorkTask } from "../../../core/tasks/work-order.ts";
import type { TaskEnd } from "../../../core/work/work-outcome.ts";
import { type PlayedTask, store, type Work } from "./work-task.ts";

/**
 * Merges what its roles did, verifies the merged tip, and stores how the task stands; everything else is kept where it
 * is, and named. Null: the tip was red, the merge is undone, and the task's coder has the next turn.
 */
export async function concludeTask(work: Work, task: WorkTask, played: PlayedTask): Promise<TaskEnd | null> {
  const { status, outcome, progress } = played;
  if (outcome === null || progress === null) return notBegun(task, "it was removed");
  if (played.isOver === true) {
    // Done before this work began; a kill may have come before it was cleared away.
    if (status === "done") await work.places.clear(task.id);
    return { id: task.id, status, outcome, reason: outcome.reason };
  }
  if (status !== "done" && status !== "conflict") {
    const reason = `${outcome.reason}${whereOf(work, task, " Its work is in")}`;
    return close(work, task, { status, outcome: { ...outcome, reason }, progress });
  }
  if (progress.tip?.undoing !== undefined) return undo(work, task, { ...progress, tip: progress.tip });
  return (await notMerged(work, task, { status, progress })) ?? (await verify(work, task, progress));
}

/** A task that this work never began. */
export function notBegun({ id }: WorkTask, reason: string): TaskEnd {
  return { id, status: "ready", outcome: null, reason: `not begun: ${reason}` };
}

type Ending = { status: TaskStatus; outcome: Outcome; progress: TaskProgress };

async function close(work: Work, task: WorkTask, { status, outcome, progress }: Ending): Promise<TaskEnd> {
  const { name, reason } = outcome;
  await store(work, task, { status, progress: { ...progress, note: `${name}: ${reason}` } });
  return { id: task.id, status, outcome, reason };
}

/** Merges, with a mark that it happens stored before. Null: the work is in and not verified yet; else how it ended. */
async function notMerged(
  work: Work,
  task: WorkTask,
  { status, progress }: { status: TaskStatus; progress: TaskProgress },
): Promise<TaskEnd | null> {
  const { places, record, tip } = work;
  await record.whenGoing();
  const asked = record.asked();
  const isMerging = places.nameOf(task.id) !== null;
  // A merge is something new, too: it waits for a resume.
  if (isMerging && asked !== null && status === "done" && progress.tip === undefined) {
    const reason = `${asked.reason} Its roles are done, but it is not merged:${whereOf(work, task, " its work is in")}`;
    return close(work, task, { status: "ready", outcome: { ...asked, reason }, progress });
  }
  if (tip.stuckBy !== null) {
    const reason = `Not merged: the merge of ${tip.stuckBy} is red and could not be undone.`;
    return close(work, task, { status: "conflict", outcome: { name: "waiting", reason }, progress });
  }
  const before = progress.tip?.before ?? (await places.head());
  await store(work, task, { status: "running", progress: { ...progress, tip: { before } } });
  const why = await places.merge(task);
  if (why === null) return null;
  const branch = places.nameOf(task.id)?.branch ?? "";
  const remedy = `Merge it by hand: git merge ${branch}; then: ralph work ${task.id} --worktrees`;
  const reason = `Its roles are done, but it is not merged: ${why} In the meantime${whereOf(work, task, " its work is in")} ${remedy}`;
  const { tip: _tip, ...rest } = progress;
  return close(work, task, { status: "conflict", outcome: { name: "waiting", reason }, progress: rest });
}

/** Every check of the project on the merged tip, before the task is done. */
async function verify(work: Work, task: WorkTask, before: TaskProgress): Promise<TaskEnd | null> {
  const { places, record, tip } = work;
  const now = await work.machine.store.getTask(work.frozen.projectDir, task.id);
  const mark: UnverifiedTip = now?.progress?.tip ?? { before: null };
  const { tip: _tip, ...progress } = before;
  const end = await tip.verify({ runId: progress.runId });
  switch (end.kind) {
    case "keep": {
      const closed = await close(work, task, { status: "done", outcome: done(work, task, progress), progress });
      await places.clear(task.id);
      return closed;
    }
    case "hold": {
      const outcome = record.asked() ?? { name: "waiting", reason: end.reason };
      const what = places.nameOf(task.id) === null ? "Not verified" : "Merged, but not verified";
      const reason = `${outcome.reason} ${what} by the checks of the project; the next resume or work does it.`;
      return close(work, task, {
        status: "ready",
        outcome: { ...outcome, reason },
        progress: { ...progress, tip: mark },
      });
    }
    case "undo": {
      const merge = await places.mergeSince(task, mark.before);
      const undoing = { merge, reason: end.reason };
      const marked = { ...progress, tip: { ...mark, undoing } };
      await store(work, task, { status: "running", progress: marked });
      return undo(work, task, marked);
    }
  }
}

/** Takes the red merge back, and the task goes to its coder with the reason; or it has failed, or waits for a person. */
async function undo(
  work: Work,
  task: WorkTask,
  { tip, ...progress }: TaskProgress & { tip: UnverifiedTip },
): Promise<TaskEnd | null> {
  const { undoing } = tip;
  assert(undoing !== undefined, "only what is marked is undone");
  const { merge, reason } = undoing;
  const why = await work.places.undo(task, merge);
  if (why !== null) {
    work.tip.stuckBy = task.id;
    const remedy = `Mend it, or undo it by hand: git revert -m 1 ${merge ?? ""}; then: ralph work ${task.id} --worktrees`;
    const outcome: Outcome = { name: "waiting", reason: `${reason} The merge could not be undone: ${why} ${remedy}` };
    return close(work, task, { status: "conflict", outcome, progress: { ...progress, tip: { before: tip.before } } });
  }
  const what = merge === null ? "is red on the tip" : "is red on the merged tip, the merge is undone";
  await work.record.note("warning", `Task ${task.id} ${what}: ${reason}`);
  const step = backFromTip(progress, reason, work.order);
  if (step.kind === "role") {
    await store(work, task, { status: "running", progress: step.progress });
    return null;
  }
  const kept = `${step.outcome.reason}${whereOf(work, task, " Its work is in")}`;
  return close(work, task, { ...step, outcome: { ...step.outcome, reason: kept } });
}

/** What done rests on, in the words of `ralph show`. */
function done({ order, tip, places }: Work, { id }: WorkTask, { evidence, role }: TaskProgress): Outcome {
  const known = evidence ?? [{ role, checks: [] }];
  const roles = describeEvidence(known, order.roles);
  const isVerified = tip.checks.length > 0 || known.some(({ checks }) => checks.length > 0);
  const where = places.nameOf(id) === null ? "Then" : "Merged, then";
  const tipWords = tip.checks.length === 0 ? "" : ` ${where} green: ${tip.checks.join(", ")}.`;
  return { name: "completed", reason: `${roles}${tipWords}`, ...(isVerified ? {} : { isVerified }) };
}

function whereOf({ places }: Work, { id }: WorkTask, words: string): string {
  const place = places.nameOf(id);
  return place === null ? "" : `${words} ${place.path} (${place.branch}).`;
}
