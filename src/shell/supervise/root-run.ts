import { constants } from "node:os";
import { isFailedTurn, type TurnReport } from "../../core/agents/turn-report.ts";
import type { SupervisedRun } from "../../core/supervise/run-record.ts";
import { unknownRun } from "../../core/supervise/run-record.ts";
import { closeStaleRuns } from "./close-stale-runs.ts";
import { newSupervisedRunId } from "./records/new-run-id.ts";
import { writeRunInfo } from "./records/run-info.ts";
import { processFacts } from "./records/run-liveness.ts";
import type { Supervision } from "./supervision.ts";
import { type RunFolder, runFolderOf } from "./records/task-folder.ts";
import { updateRecord } from "./update-record.ts";

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
  return updateRecord(supervision, folder, { pid, pgid, processStart: startTime });
}

/** Closes the record with what became of the run. Must not reject. */
export function closeRootRun(supervision: Supervision, { folder }: RootRun, report: TurnReport): Promise<void> {
  const exitCode = exitCodeOf(report);
  return updateRecord(supervision, folder, {
    endedAt: supervision.keeping.clock.now(),
    exitCode,
    status: statusOf(report),
    errorSummary: statusOf(report) === "failed" ? summaryOf(report, exitCode) : "",
  });
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
