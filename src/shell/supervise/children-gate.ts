import type { Verdict } from "../../core/verification/verdict.ts";
import { formatDuration } from "../../core/text/duration.ts";
import { areChildrenEnded, nextWait } from "../../core/supervise/supervised-turn.ts";
import type { SupervisedRun } from "../../core/supervise/run-record.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Processes } from "../ports.ts";
import { type Children, findChildren } from "./records/list-runs.ts";
import { updateRunInfo } from "./records/run-info.ts";
import type { Supervision } from "./supervision.ts";
import { runFolderOf } from "./records/task-folder.ts";

/** What ends children that outlive the wait. */
export type ChildEnding = { processes: Pick<Processes, "endLeftovers">; killGraceMs: number };

/** A record is written within seconds of its process's start; a process that started at another time is another one. */
const startDifferenceMsMax = 10_000;

/** Waits until the registered children are gone or the wait is over; null when it was cut. It always opens. */
export async function awaitChildren(
  supervision: Supervision,
  ending: ChildEnding,
  { wallMs, signal }: { wallMs: number | null; signal: AbortSignal },
): Promise<{ verdict: Verdict; remark: string | null } | null> {
  const { clock } = supervision.keeping;
  const startedMs = clock.upMs();
  const waited = await waitForChildren(supervision, wallMs, signal);
  const durationMs = Math.round(clock.upMs() - startedMs);
  if (waited.isCut) return null;
  if (waited.left.length > 0) await giveUp(supervision, ending, { left: waited.left, durationMs });
  const verdict = verdictOf(waited, durationMs);
  return { verdict, remark: waited.hadChildren ? verdict.reason : null };
}

/** Ends the children that are at work, each only when it is surely the one of its record. */
export async function endChildren(supervision: Supervision, ending: ChildEnding): Promise<void> {
  for (const run of (await lookForChildren(supervision)).active) await endChild(supervision, ending, run);
}

/** Processes and groups of registered children: nobody sweeps them away with what an agent left over. */
export async function childProcesses(supervision: Supervision): Promise<ReadonlySet<number>> {
  const { active } = await lookForChildren(supervision);
  return new Set(active.flatMap(({ pid, pgid }) => [pid, pgid]).filter((number) => number > 1));
}

type Waited = { isCut: boolean; left: SupervisedRun[]; hadChildren: boolean };

/** Scans again at every poll, so that it also waits for a child started meanwhile. */
async function waitForChildren(supervision: Supervision, wallMs: number | null, signal: AbortSignal): Promise<Waited> {
  const { clock } = supervision.keeping;
  const dueMs = wallMs === null ? Number.POSITIVE_INFINITY : clock.upMs() + wallMs;
  let known = "";
  for (;;) {
    const { active } = await lookForChildren(supervision);
    const ids = idsOf(active);
    const leftMs = dueMs - clock.upMs();
    const step = nextWait(active.length, leftMs);
    if (step === "gone") return { isCut: false, left: [], hadChildren: known !== "" };
    if (ids !== known) await supervision.say("INFO", `waiting for ${active.length} children to complete: ${ids}`);
    const isFirst = known === "";
    known = ids;
    if (step === "timeout") return { isCut: false, left: active, hadChildren: true };
    if (isFirst) supervision.tell({ type: "waiting", waitsFor: "children", durationMs: wallMs });
    if (!(await clock.wait(Math.min(supervision.order.pollMs, leftMs), signal)))
      return { isCut: true, left: active, hadChildren: true };
  }
}

/** A task is not failed by a folder that cannot be read: its runs count as not active (CW-3J). */
async function lookForChildren(supervision: Supervision): Promise<Children> {
  try {
    return await findChildren(supervision.task, supervision);
  } catch (error) {
    await supervision.say("WARNING", `failed to enumerate children: ${thrownText(error)}`);
    return { active: [], ended: [], problems: [] };
  }
}

async function giveUp(
  supervision: Supervision,
  ending: ChildEnding,
  { left, durationMs }: { left: SupervisedRun[]; durationMs: number },
): Promise<void> {
  const text = `timeout waiting for children after ${formatDuration(durationMs)}: ${idsOf(left)}`;
  await supervision.say("WARNING", text);
  await supervision.note("warning", text);
  if (!areChildrenEnded(supervision.order.onChildTimeout)) return;
  for (const run of left) await endChild(supervision, ending, run);
}

async function endChild(supervision: Supervision, ending: ChildEnding, run: SupervisedRun): Promise<void> {
  const startTime = ownStartTime(run, supervision);
  if (startTime === null) {
    const text = `child ${run.runId} was left alone: process ${run.pid} could not be confirmed as the recorded one`;
    await supervision.say("WARNING", text);
    return supervision.note("warning", text);
  }
  const { survivors } = await ending.processes.endLeftovers("", { pid: run.pid, startTime }, ending.killGraceMs);
  if (survivors.length > 0) await supervision.note("warning", `Processes could not be ended: ${survivors.join(", ")}.`);
  const change = ({ endedAt }: SupervisedRun): Partial<SupervisedRun> | null =>
    endedAt === null
      ? { endedAt: supervision.keeping.clock.now(), status: "failed", errorSummary: "ended by the supervisor" }
      : null;
  await updateRunInfo(runFolderOf(supervision.task, run.runId), change, supervision.keeping).catch((error: unknown) =>
    supervision.note("warning", thrownText(error)),
  );
}

/** Null unless the recorded process is of our user, leads its group and started when the record says. */
function ownStartTime({ pid, pgid, startedAt }: SupervisedRun, { world }: Supervision): string | null {
  const row = pid > 1 && pid === pgid ? world.table.readOne(pid) : null;
  if (row === null || row.groupId !== pgid || world.askGroup(pgid) !== "there" || !world.isOurs(pid)) return null;
  const processStartedAt = world.startedAtMs(row);
  if (processStartedAt === null || Math.abs(processStartedAt - startedAt) > startDifferenceMsMax) return null;
  return row.startTime;
}

function verdictOf({ left }: Waited, durationMs: number): Verdict {
  const reason = left.length > 0 ? `The wait for children was over: ${idsOf(left)}.` : "All children finished.";
  return {
    index: 0,
    name: "children",
    isPassed: true,
    exitCode: 0,
    isTimedOut: left.length > 0,
    durationMs,
    reason,
    output: { text: "" },
    logFile: null,
    isUnverified: true,
  };
}

function idsOf(runs: readonly SupervisedRun[]): string {
  return `[${runs.map(({ runId }) => runId).join(", ")}]`;
}
