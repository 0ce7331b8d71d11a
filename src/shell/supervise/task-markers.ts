import { emptyReport, type Markers, type StartError, type TurnReport } from "../../core/agents/turn-report.ts";
import { isDoneStale, waitsByExitCode, waitsByFile, waitsByMessage } from "../../core/supervise/supervised-turn.ts";
import { basename } from "node:path";
import { markerIfClear, readMarker } from "./marker-file.ts";
import { reasonOf, type Supervision } from "./supervision.ts";
import { findWaitMessage } from "./wait-message.ts";

/** The markers before a run; an error when nobody can tell what they mean. */
export function markersBefore({ task, keeping }: Supervision): Markers | StartError {
  try {
    const isDone = readMarker(task.doneFile, keeping.disk) !== null;
    const isWaiting = readMarker(task.waitFile, keeping.disk) !== null;
    return { isDone, waiting: isWaiting ? waitsByFile : null };
  } catch (error) {
    return { kind: "marker", message: reasonOf(error) };
  }
}

/** The report of a turn with the markers it left. An agent may wait by exit code, by file or by a message of this run. */
export async function withMarkers(
  report: TurnReport,
  supervision: Supervision,
  startedAt: number,
): Promise<TurnReport> {
  if (report.startError !== null) return report;
  const found = markersBefore(supervision);
  if ("kind" in found) return { ...report, startError: found };
  const waiting = found.waiting ?? (await otherWait(report, supervision, startedAt));
  return { ...report, markers: { ...found, waiting } };
}

/** The report of a turn in which no agent was started. */
export function skippedReport(found: Markers | StartError): TurnReport {
  if ("kind" in found) return { ...emptyReport, startError: found };
  return { ...emptyReport, isSkipped: true, markers: found };
}

/** Removes a DONE from before this run. */
export async function removeStaleDone({ task, keeping, note }: Supervision, startedAt: number): Promise<void> {
  const done = markerIfClear(task.doneFile, keeping.disk);
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
  if (markerIfClear(task.doneFile, disk) === null) return;
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
  const byCode = waitsByExitCode(report.exitCode);
  if (byCode !== null) return byCode;
  try {
    const message = findWaitMessage(supervision.task.busFile, startedAt, supervision.keeping.disk);
    return message === null ? null : waitsByMessage(message.id);
  } catch (error) {
    await supervision.note("warning", reasonOf(error));
    return null;
  }
}
