import { constants } from "node:os";
import { isFailedTurn, type TurnReport } from "../../core/agents/turn-report.ts";
import { readRunId } from "../../core/supervise/run-ids.ts";
import type { SupervisedRun } from "../../core/supervise/run-record.ts";
import { unknownRun } from "../../core/supervise/run-record.ts";
import { listRuns } from "./list-runs.ts";
import { taskFileIfClear } from "./task-file.ts";
import { newSupervisedRunId } from "./new-run-id.ts";
import { updateRunInfo, writeRunInfo } from "./run-info.ts";
import { isRunAlive, processFacts } from "./run-liveness.ts";
import { reasonOf, type Supervision } from "./supervision.ts";
import { type RunFolder, runFolderOf } from "./task-folder.ts";

/** One run of the root agent, from before its process starts. */
export type RootRun = { runId: string; folder: RunFolder; parentRunId: string | null; startedAt: number };

/** What a record says of the agent. */
export type RootAgent = { name: string; commandline: string; cwd: string; parentRunId: string | null };

/**
 * Registers a run before its agent starts, in the name of this process: whoever looks meanwhile finds somebody alive.
 * Records of former runs whose processes are gone are closed first. Rejects when the record cannot be written.
 */
export async function openRootRun(supervision: Supervision, agent: RootAgent): Promise<RootRun> {
  const { task, ids, keeping } = supervision;
  const previousRunId = await closeStaleRuns(supervision, agent.parentRunId);
  const { pid } = await keeping.identities.self();
  const startedAt = keeping.clock.now();
  const runId = newSupervisedRunId(startedAt);
  const folder = runFolderOf(task, runId);
  const record: SupervisedRun = {
    ...unknownRun(runId),
    ...ids,
    parentRunId: agent.parentRunId,
    previousRunId,
    agent: agent.name,
    ...processFacts(pid, supervision.world.table),
    startedAt,
    status: "running",
    cwd: agent.cwd,
    promptPath: folder.promptFile,
    outputPath: folder.outputFile,
    stdoutPath: folder.stdoutFile,
    stderrPath: folder.stderrFile,
    commandline: agent.commandline,
  };
  await writeRunInfo(folder, record, keeping.disk);
  return { runId, folder, parentRunId: agent.parentRunId, startedAt };
}

/** Puts the agent's process in the place of ours. Must not reject. */
export function recordProcess(
  supervision: Supervision,
  { folder }: RootRun,
  { pid, startTime }: { pid: number; startTime: string },
): Promise<void> {
  // Each agent leads a group of its own (S3-20), but one that is a function of this program.
  const { pgid } = processFacts(pid, supervision.world.table);
  return update(supervision, folder, { pid, pgid, processStart: startTime });
}

/** Closes the record with what became of the run. Must not reject. */
export function closeRootRun(supervision: Supervision, { folder }: RootRun, report: TurnReport): Promise<void> {
  const exitCode = exitCodeOf(report);
  return update(supervision, folder, {
    endedAt: supervision.keeping.clock.now(),
    exitCode,
    status: statusOf(report),
    errorSummary: statusOf(report) === "failed" ? summaryOf(report, exitCode) : "",
  });
}

async function update(supervision: Supervision, folder: RunFolder, change: Partial<SupervisedRun>): Promise<void> {
  await updateRunInfo(folder, () => change, supervision.keeping).catch((error: unknown) =>
    supervision.note("warning", reasonOf(error)),
  );
}

/**
 * Closes records of the root agent whose processes are gone: as completed when DONE is there, else as failed. Returns
 * the newest of them all, of which the next run is the restart. Rejects when the folder cannot be listed.
 */
export async function closeStaleRuns(supervision: Supervision, parentRunId: string | null): Promise<string | null> {
  const { task, keeping, world } = supervision;
  const isDone = taskFileIfClear(task.doneFile, keeping.disk) !== null;
  await recordUnrecorded(supervision, parentRunId);
  const own = (await listRuns(task, keeping.disk)).filter(
    ({ run, problem }) => problem === null && run.parentRunId === parentRunId,
  );
  for (const { run } of own) {
    if (run.endedAt !== null || isRunAlive(run, world)) continue;
    const status = isDone ? "completed" : "failed";
    const errorSummary = isDone ? "" : "its process was gone";
    await update(supervision, runFolderOf(task, run.runId), { endedAt: keeping.clock.now(), status, errorSummary });
  }
  return own.at(-1)?.run.runId ?? null;
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
    const end = { endedAt: keeping.clock.now(), status: "failed", errorSummary: "its process was gone" } as const;
    const record: SupervisedRun = { ...run, ...ids, ...end, parentRunId, startedAt: maker.at };
    await writeRunInfo(runFolderOf(task, run.runId), record, keeping.disk);
  }
}

function statusOf(report: TurnReport): SupervisedRun["status"] {
  if (report.supervised?.isDone !== true && (report.supervised?.waiting ?? null) !== null) return "stopped";
  return report.isCut || isFailedTurn(report) ? "failed" : "completed";
}

/** A process ended by a signal has the code a shell gives it. */
function exitCodeOf({ exitCode, signal }: TurnReport): number {
  if (exitCode !== null) return exitCode;
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  return number === undefined ? -1 : 128 + number;
}

function summaryOf(report: TurnReport, exitCode: number): string {
  if (report.startError !== null) return report.startError.message;
  if (report.isCut) return "cut off by the supervisor";
  if (report.timedOut !== null) return `ended by the ${report.timedOut} timeout`;
  return report.failure?.message ?? exitTexts[exitCode] ?? `agent ended with exit code ${exitCode}`;
}

/** The texts other tools of this format use. */
const exitTexts: Partial<Record<number, string>> = {
  1: "agent reported failure",
  2: "agent usage error",
  137: "agent killed (OOM or signal)",
  143: "agent terminated (SIGTERM)",
};
