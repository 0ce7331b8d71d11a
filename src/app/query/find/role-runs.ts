import type { RunRecord } from "../../../shell/ports.ts";
import type { Records } from "../../../shell/wire-store.ts";

/** The roles' runs on a task of this project, the oldest first, whichever work they belong to. */
export async function runsOfTask(machine: Pick<Records, "store">, directory: string, id: string): Promise<RunRecord[]> {
  const all = await machine.store.list({ directory: null, limit: null });
  return all.filter(({ frozen: { task } }) => task?.id === id && task.projectDir === directory).toReversed();
}

/** The children of a work run, the oldest first. */
export async function runsOfWork(machine: Pick<Records, "store">, work: RunRecord): Promise<RunRecord[]> {
  if (work.frozen.work === undefined) return [];
  return (await machine.store.list({ directory: null, limit: null, parentId: work.id })).toReversed();
}

/** The newest run of each task: how far the work is with it. */
export function newestOfTasks(runs: readonly RunRecord[]): RunRecord[] {
  const newest = new Map(runs.map((run) => [run.frozen.task?.id ?? run.id, run]));
  return Array.from(newest.values());
}
