import type { ProcessEnd, ProcessOrder, Processes, ProcessStart } from "../../shell/ports.ts";
import { functionCommand } from "./own-functions.ts";

/** What a call is watched with: aborted when it is cut or has used its time; `heard` keeps an idle timeout away. */
export type CallWatch = { signal: AbortSignal; heard: () => void };

/** How a call ended, as the program in whose place it is. */
export type CallEnd = { exitCode: number } & Pick<ProcessEnd, "startError">;

/** Calls a function in the place of a program. Must not reject. */
export type FunctionCall = (order: ProcessOrder, watch: CallWatch) => Promise<CallEnd>;

/** Processes where the command of functions is such a call, in this very process. */
export function withFunction(processes: Processes, call: FunctionCall): Processes {
  const start = (order: ProcessOrder): Promise<ProcessStart> =>
    order.argv[0] === functionCommand ? startFunction(processes, call, order) : processes.start(order);
  // A turn that is a call is no process that anything could hold.
  const { whyUncontained: _, ...others } = processes;
  return { ...others, start };
}

/** Why a call ends before the function does. */
type Stop = "cut" | "wall" | "idle" | "silence";

async function startFunction(processes: Processes, call: FunctionCall, order: ProcessOrder): Promise<ProcessStart> {
  const identity = await processes.self();
  const began = performance.now();
  const watch = openWatch(order);
  const called = call(order, watch);
  const stopped = watch.stopped.then(() => {
    const graceMs = new Promise<null>((resolve) => setTimeout(() => resolve(null), order.killGraceMs).unref());
    return Promise.race([called, graceMs]);
  });
  const ended = Promise.race([called, stopped]).then((end): ProcessEnd => {
    watch.close();
    const stop = watch.stop();
    return {
      exitCode: stop === null || stop === "silence" ? (end?.exitCode ?? 0) : null,
      signal: stop === null || stop === "silence" ? null : "SIGTERM",
      timedOut: stop === "wall" || stop === "idle" ? stop : null,
      isCut: stop === "cut",
      isForced: end === null,
      leftoverCount: 0,
      survivors: [],
      durationMs: Math.round(performance.now() - began),
      ...(stop === null && end?.startError !== undefined ? { startError: end.startError } : {}),
    };
  });
  return { isStarted: true, process: { identity, ended, cut: watch.cut, endAfterSilence: watch.endAfterSilence } };
}

/** The limits of a call: each ends it once. */
function openWatch({ idleMs, wallMs }: Pick<ProcessOrder, "idleMs" | "wallMs">) {
  const controller = new AbortController();
  const stopped = new Promise<void>((resolve) =>
    controller.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  const state = { stop: null as Stop | null, quietMs: idleMs, quietStop: "idle" as Stop, isOver: false };
  const stopAs = (stop: Stop): void => {
    state.stop ??= stop;
    controller.abort();
  };
  const timerOf = (ms: number | null, stop: Stop) => (ms === null ? undefined : setTimeout(() => stopAs(stop), ms));
  const wall = timerOf(wallMs, "wall");
  let quiet = timerOf(idleMs, "idle");
  const heard = (): void => {
    clearTimeout(quiet);
    // Whoever speaks after the end of its turn is not waited for.
    if (state.isOver) return;
    quiet = timerOf(state.quietMs, state.quietStop);
  };
  return {
    signal: controller.signal,
    stopped,
    stop: () => state.stop,
    heard,
    cut: () => stopAs("cut"),
    endAfterSilence: (ms: number) => {
      state.quietMs = ms;
      state.quietStop = "silence";
      heard();
    },
    close: () => {
      state.isOver = true;
      clearTimeout(wall);
      clearTimeout(quiet);
    },
  };
}
