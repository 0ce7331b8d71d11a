import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { assert } from "../../core/assert.ts";
import type { ProcessEnd, ProcessOrder, RunningProcess } from "../ports.ts";
import { endAtExit } from "./end-at-exit.ts";
import { endFamily, type FamilyEnd } from "./end-family.ts";
import { createFamily } from "./family.ts";
import { createLimits, type ReachedLimit } from "./limits.ts";
import { type OpenOutput, readOutput } from "./output.ts";
import type { Births, ProcessTable } from "./process-table.ts";

/** Children that end with their parent need this long; they are not called left over. */
const settleMs = 100;

/** The exit is reported within moments of the kill; a process stuck in the kernel is not waited for. */
const exitWaitMs = 1_000;

export type StartedChild = { child: ChildProcess; stdout: OpenOutput; stderr: OpenOutput };

type Supervision = StartedChild & {
  order: ProcessOrder;
  table: ProcessTable;
  /** Before the process was started. */
  births: Births | null;
  sampleMs: number;
};
type Exit = { code: number | null; signal: string | null; at: number };

/** Looks after a process from its start until it and everything it started are gone. */
export function superviseProcess({ child, order, table, births, sampleMs, ...streams }: Supervision): RunningProcess {
  const { pid } = child;
  assert(pid !== undefined, "only a started process is supervised");
  const startedAt = performance.now();
  // Read before the event loop turns: until then even a process that ended at once keeps its place in the table.
  const row = table.readOne(pid);
  const identity = { pid, startTime: row?.startTime ?? "unknown" };
  const origin = { root: identity, turnMarker: order.turnMarker, since: row?.startedAt ?? 0, births };
  const family = createFamily(table, origin);

  let exit: Exit | null = null;
  let reached: ReachedLimit | null = null;
  let isCut = false;
  const exited = Promise.withResolvers<void>();
  const toldToEnd = Promise.withResolvers<void>();
  child.on("error", () => undefined);
  child.once("exit", (code, signal) => {
    exit = { code, signal, at: performance.now() };
    exited.resolve();
  });
  const limits = createLimits({
    idleMs: order.idleMs,
    wallMs: order.wallMs,
    onReached: (limit) => {
      reached = limit;
      toldToEnd.resolve();
    },
  });
  writeInput(child, order.stdin);
  const output = readOutput({
    streams: [
      { open: streams.stdout, take: (chunk) => order.onStdout(chunk) },
      { open: streams.stderr, take: (chunk) => order.onStderr(chunk) },
    ],
    limits,
  });

  const target = { family, groupId: pid, isRootRunning: () => exit === null };
  // Who may stay alive is asked asynchronously, too late for an exit: the next resume ends the others, as after a crash.
  const forget = order.exempt === undefined ? endAtExit(target) : () => {};
  const supervise = async (): Promise<ProcessEnd> => {
    const sampler = setInterval(() => family.survey(), sampleMs);
    await Promise.race([exited.promise, toldToEnd.promise]);
    limits.stop();
    clearInterval(sampler);
    family.exempt((await order.exempt?.()) ?? new Set());
    const end = await endFamily({
      ...target,
      settleMs: exit === null ? 0 : settleMs,
      graceMs: order.killGraceMs,
    });
    forget();
    await Promise.race([exited.promise, wait(exitWaitMs, undefined, { ref: false })]);
    child.stdin?.destroy();
    await output.drain();
    child.unref();
    return { ...factsOf(exit, startedAt), ...leftoversOf(end, pid), timedOut: timeoutOf(reached), isCut };
  };

  return {
    identity,
    ended: supervise(),
    cut: () => {
      if (exit !== null || reached === "silence") return;
      isCut = true;
      toldToEnd.resolve();
    },
    endAfterSilence: (silenceMs) => limits.endAfterSilence(silenceMs),
  };
}

// A program may end without reading its input; the broken pipe is no fault of the turn.
function writeInput(child: ChildProcess, input: string | Uint8Array | null): void {
  if (child.stdin === null || input === null) return;
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
}

function factsOf(exit: Exit | null, startedAt: number): Pick<ProcessEnd, "exitCode" | "signal" | "durationMs"> {
  const endedAt = exit?.at ?? performance.now();
  return {
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    durationMs: Math.round(endedAt - startedAt),
  };
}

function leftoversOf(end: FamilyEnd, pid: number): Pick<ProcessEnd, "isForced" | "leftoverCount" | "survivors"> {
  end.toldPids.delete(pid);
  return { isForced: end.isForced, leftoverCount: end.toldPids.size, survivors: end.survivors };
}

function timeoutOf(reached: ReachedLimit | null): ProcessEnd["timedOut"] {
  return reached === "silence" ? null : reached;
}
