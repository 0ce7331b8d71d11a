import { isRunId } from "../../../core/supervise/run-ids.ts";
import type { SupervisedRun } from "../../../core/supervise/run-record.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import type { Disk } from "../../ports.ts";
import { isRunAlive, type LivenessWorld } from "./run-liveness.ts";
import { readRunInfo, type RecordKeeping, type RunInfoReading, updateRunInfo } from "./run-info.ts";
import { runFolderOf, type TaskFolder } from "./task-folder.ts";

/** The runs of a task, oldest first, broken ones among them. Rejects only when the folder cannot be listed. */
export async function listRuns(task: TaskFolder, disk: Disk): Promise<RunInfoReading[]> {
  const names = listRunIds(task, disk);
  return Promise.all(names.map((name) => readRunInfo(runFolderOf(task, name), disk)));
}

/** The ids of the runs of a task, oldest first; whether their records can be read or not. */
export function listRunIds({ runsFolder }: TaskFolder, disk: Disk): string[] {
  return (disk.list(runsFolder) ?? [])
    .filter(({ name, kind }) => kind === "folder" && isRunId(name))
    .map(({ name }) => name)
    .toSorted();
}

/** The children of a task. Nobody waits for `ended`: their records were open, their processes gone. */
export type Children = {
  active: SupervisedRun[];
  ended: SupervisedRun[];
  /** Records that could not be read or closed; they count as not active. */
  problems: string[];
};

/**
 * Finds the runs below a task that somebody else started there and that still run; a record whose process is gone is
 * closed as failed. Scans again at every call, so that a child started meanwhile is found. Rejects only when the folder
 * cannot be listed.
 */
export async function findChildren(
  task: TaskFolder,
  { keeping, world }: { keeping: RecordKeeping; world: LivenessWorld },
): Promise<Children> {
  const children: Children = { active: [], ended: [], problems: [] };
  for (const { run, problem } of await listRuns(task, keeping.disk)) {
    if (problem !== null) children.problems.push(problem.message);
    if (problem !== null || run.parentRunId === null || run.endedAt !== null) continue;
    if (isRunAlive(run, world)) {
      children.active.push(run);
      continue;
    }
    const closed = await closeDead(task, run, { keeping, world }).catch((error: unknown) => {
      children.problems.push(thrownText(error));
      return null;
    });
    if (closed === null) continue;
    (closed.endedAt === null ? children.active : children.ended).push(closed);
  }
  return children;
}

/** Judged again under the lock: a child may have put its agent's process in place of its own meanwhile. */
function closeDead(
  task: TaskFolder,
  { runId }: SupervisedRun,
  { keeping, world }: { keeping: RecordKeeping; world: LivenessWorld },
): Promise<SupervisedRun> {
  const change = (run: SupervisedRun): Partial<SupervisedRun> | null => {
    if (run.endedAt !== null || isRunAlive(run, world)) return null;
    const errorSummary = run.errorSummary === "" ? "its process was gone" : run.errorSummary;
    return { endedAt: keeping.clock.now(), status: "failed", errorSummary };
  };
  return updateRunInfo(runFolderOf(task, runId), change, keeping);
}
