import type { Clock } from "../ports.ts";

/** The longest a timer of Node can wait; a longer wait is made in pieces. */
const timeoutMsMax = 2 ** 31 - 1;

/** The clocks of this machine. */
export const realClock: Clock = {
  now: () => Date.now(),
  // Whole milliseconds: sums of them are exact, so that a journal folds to the very numbers that are stored.
  upMs: () => Math.floor(performance.now()),
  async wait(durationMs, signal, place) {
    const dueMs = performance.now() + durationMs;
    for (let restMs = durationMs; restMs > 0; restMs = dueMs - performance.now()) {
      if (!(await waitOnce(Math.min(restMs, timeoutMsMax), signal, place))) return false;
    }
    return !signal.aborted;
  },
};

/** The same for hooks, without `performance`, whose first use loads nine modules of Node: 3 ms of each hook. */
export const hookClock: Clock = { ...realClock, upMs: () => Math.floor(process.uptime() * 1000) };

function waitOnce(durationMs: number, signal: AbortSignal, place?: "background"): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const abort = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve(true);
    }, durationMs);
    if (place === "background") timer.unref();
    signal.addEventListener("abort", abort, { once: true });
  });
}
