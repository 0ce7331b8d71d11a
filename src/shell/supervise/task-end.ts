import { emptyReport, type SupervisedEnd, type StartError, type TurnReport } from "../../core/agents/turn-report.ts";
import { isDoneStale, waitsByExitCode, waitsByFile, waitsByMessage } from "../../core/supervise/supervised-turn.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { basename } from "node:path";
import { readSharedText } from "../lib/read-shared-text.ts";
import type { Disk } from "../ports.ts";
import { taskFileIfClear, readTaskFile } from "./task-file.ts";
import type { Supervision } from "./supervision.ts";
import { findWaitMessage } from "./wait-message.ts";

/** What the DONE file and the wait file say before a run; an error when nobody can tell what they mean. */
export function supervisedBefore({ task, keeping }: Supervision): SupervisedEnd | StartError {
  try {
    const isDone = readTaskFile(task.doneFile, keeping.disk) !== null;
    const isWaiting = readTaskFile(task.waitFile, keeping.disk) !== null;
    return { isDone, waiting: isWaiting ? waitsByFile(wordsOf(task.waitFile, keeping.disk)) : null };
  } catch (error) {
    return { kind: "task-file", message: thrownText(error) };
  }
}

/** What the wait file says; nothing where it cannot be read: its presence alone counts. */
function wordsOf(path: string, disk: Disk): string {
  try {
    return readSharedText(path, disk) ?? "";
  } catch {
    return "";
  }
}

/** The report of a turn with the files it left in its task folder. An agent may wait by exit code, by file or by a message of this run. */
export async function withSupervised(
  report: TurnReport,
  supervision: Supervision,
  startedAt: number,
): Promise<TurnReport> {
  if (report.startError !== null) return report;
  const found = supervisedBefore(supervision);
  if ("kind" in found) return { ...report, startError: found };
  const waiting = found.waiting ?? (await otherWait(report, supervision, startedAt));
  return { ...report, supervised: { ...found, waiting } };
}

/** The report of a turn in which no agent was started. */
export function skippedReport(found: SupervisedEnd | StartError): TurnReport {
  if ("kind" in found) return { ...emptyReport, startError: found };
  return { ...emptyReport, isSkipped: true, supervised: found };
}

/** Removes a DONE from before this run. */
export async function removeStaleDone({ task, keeping, note }: Supervision, startedAt: number): Promise<void> {
  const done = taskFileIfClear(task.doneFile, keeping.disk);
  if (done === null || !isDoneStale(done.at, startedAt)) return;
  keeping.disk.remove(task.doneFile);
  await note("info", `Removed ${task.doneFile} of an earlier run (--fresh).`);
}

/**
 * Moves a refused DONE aside as `DONE.refused-<n>`, so that only a new one counts, and says why on the bus. Idempotent:
 * without a DONE there is nothing to do.
 */
export async function refuseDone({ task, keeping, note, say }: Supervision, reason: string): Promise<void> {
  const { disk } = keeping;
  if (taskFileIfClear(task.doneFile, disk) === null) return;
  let count = 1;
  while (count < refusedMax && disk.look(`${task.doneFile}.refused-${count}`) !== null) count += 1;
  const aside = `${task.doneFile}.refused-${count}`;
  disk.rename(task.doneFile, aside);
  const text = `DONE was refused and is kept as ${basename(aside)}: ${reason}`;
  await say("WARNING", text);
  await note("warning", text);
}

/** More than any limit of restarts; the last name is written over. */
const refusedMax = 100_000;

async function otherWait(report: TurnReport, supervision: Supervision, startedAt: number): Promise<string | null> {
  const byCode = waitsByExitCode(report.exitCode, report.errorOutput);
  if (byCode !== null) return byCode;
  try {
    const message = findWaitMessage(supervision.task.busFile, startedAt, supervision.keeping.disk);
    return message === null ? null : waitsByMessage(message);
  } catch (error) {
    await supervision.note("warning", thrownText(error));
    return null;
  }
}
