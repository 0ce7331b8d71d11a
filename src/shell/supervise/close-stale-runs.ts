import type { BusMessage } from "../../core/bus/message.ts";
import { readRunId } from "../../core/supervise/run-ids.ts";
import type { SupervisedRun } from "../../core/supervise/run-record.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { readAll } from "../bus/read-bus.ts";
import { ensureOutput } from "./records/ensure-output.ts";
import { lastErrorLines } from "./records/last-error-lines.ts";
import { listRuns } from "./records/list-runs.ts";
import { writeRunInfo } from "./records/run-info.ts";
import { isRunAlive } from "./records/run-liveness.ts";
import type { Supervision } from "./supervision.ts";
import { taskFileIfClear } from "./task-file.ts";
import { runFolderOf } from "./records/task-folder.ts";
import { updateRecord } from "./update-record.ts";

/**
 * Closes runs of the root agent whose processes are gone as a living supervisor does: with an `output.md`, a RUN_STOP on the
 * bus and a record that is completed when DONE is there, else failed. Returns the newest of all its runs, of which the next
 * run is the restart. Rejects when the folder cannot be listed.
 */
export async function closeStaleRuns(supervision: Supervision, parentRunId: string | null): Promise<string | null> {
  const { task, keeping, world } = supervision;
  const isDone = taskFileIfClear(task.doneFile, keeping.disk) !== null;
  await recordUnrecorded(supervision, parentRunId);
  const all = (await listRuns(task, keeping.disk)).filter(({ problem }) => problem === null).map(({ run }) => run);
  const ids = new Set(all.map(({ runId }) => runId));
  // A run that another run of this task started is a child.
  const own = all.filter((run) => run.parentRunId === null || !ids.has(run.parentRunId));
  for (const run of own)
    if (run.endedAt === null && !isRunAlive(run, world)) await closeStale(supervision, run.runId, isDone);
  return own.at(-1)?.runId ?? null;
}

/** The record last: whoever is killed before it does all of this again, and says it once. */
async function closeStale(supervision: Supervision, runId: string, isDone: boolean): Promise<void> {
  const { task, keeping, note, say } = supervision;
  const folder = runFolderOf(task, runId);
  try {
    await ensureOutput(folder, null, keeping.disk);
  } catch (error) {
    await note("warning", `The run's output could not be kept: ${thrownText(error)}`);
  }
  if (!isEndSaid(supervision, runId)) {
    const lines = await lastErrorLines(folder, keeping.disk);
    const how = `run ${runId} ${isDone ? "ended" : "failed"}: ${processGone}`;
    await say("RUN_STOP", lines === "" ? how : `${how}\n${lines}`, runId);
  }
  const status = isDone ? "completed" : "failed";
  const errorSummary = isDone ? "" : processGone;
  await updateRecord(supervision, folder, { status, errorSummary, endedAt: keeping.clock.now() });
}

const processGone = "its process was gone";

/** Whether the bus has the end of a run; one that cannot be read says nothing. */
function isEndSaid({ task, keeping }: Supervision, runId: string): boolean {
  const isWanted = (message: BusMessage): boolean =>
    message.runId === runId && /^RUN_(?:STOP|CRASH)$/.test(message.type);
  try {
    return readAll(task.busFile, { files: keeping.disk, isWanted }).length > 0;
  } catch {
    return false;
  }
}

/**
 * Gives a record to each folder whose maker was killed between making the folder and writing the record. Its agent never
 * started.
 */
async function recordUnrecorded(supervision: Supervision, parentRunId: string | null): Promise<void> {
  const { task, ids, keeping, world } = supervision;
  for (const { run, problem } of await listRuns(task, keeping.disk)) {
    const maker = problem?.kind === "missing" ? readRunId(run.runId) : null;
    if (maker === null || world.table.readOne(maker.pid) !== null) continue;
    const end = { endedAt: keeping.clock.now(), status: "failed", errorSummary: processGone } as const;
    const record: SupervisedRun = { ...run, ...ids, ...end, parentRunId, startedAt: maker.at };
    await writeRunInfo(runFolderOf(task, run.runId), record, keeping.disk);
  }
}
