import type { Outcome } from "../../core/engine/outcome.ts";
import type { TaskProgress, TaskStatus } from "../../core/tasks/task.ts";
import type { WorkTask } from "../../core/tasks/work-order.ts";
import type { TaskEnd } from "../../core/tasks/work-outcome.ts";
import type { Worktree } from "../scm/worktrees.ts";
import { type PlayedTask, store, type Work } from "./work-task.ts";

/** Merges what was verified, and stores how the task stands. Everything else is kept where it is, and named. */
export async function concludeTask(work: Work, task: WorkTask, played: PlayedTask): Promise<TaskEnd> {
  const { status, outcome, progress } = played;
  if (outcome === null || progress === null) return notBegun(task, "it was removed");
  const place = work.places.nameOf(task.id);
  if (place === null) return close(work, task, { status, outcome, progress });
  if (status !== "done" && status !== "conflict") {
    const reason = `${outcome.reason} Its work is in ${place.path} (${place.branch}).`;
    return close(work, task, { status, outcome: { ...outcome, reason }, progress });
  }
  const merged = await merge(work, task, { status, place });
  const end = await close(work, task, { ...merged, progress });
  if (end.status === "done") await work.places.clear(task.id);
  return end;
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

const verified: Outcome = { name: "completed", reason: "Every role was verified." };

async function merge(
  work: Work,
  task: WorkTask,
  { status, place }: { status: TaskStatus; place: Worktree },
): Promise<Pick<Ending, "status" | "outcome">> {
  // Done before this work began, and cleared away: nothing is left to merge.
  if (status === "done" && !(await work.places.isKept(task.id))) return { status, outcome: verified };
  const where = `its work is in ${place.path} (${place.branch}).`;
  const asked = work.record.asked();
  // A merge is something new, too: it waits for a resume.
  if (asked !== null && status === "done")
    return { status: "ready", outcome: { ...asked, reason: `${asked.reason} Verified, but not merged: ${where}` } };
  const why = await work.places.merge(task);
  if (why === null) return { status: "done", outcome: verified };
  const remedy = `Merge it by hand: git merge ${place.branch}; then: ralph work ${task.id} --worktrees`;
  const reason = `Verified but not merged: ${why} In the meantime ${where} ${remedy}`;
  return { status: "conflict", outcome: { name: "waiting", reason } };
}
