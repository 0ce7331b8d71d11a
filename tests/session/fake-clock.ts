import type { Clock } from "../../src/shell/ports.ts";

/** Time that passes only when it is told to. */
export type FakeClock = Clock & {
  /** Lets time pass, wait by wait, and everything that follows from it happen. */
  pass(ms: number): Promise<void>;
  /** Lets what needs no time happen. */
  calm(): Promise<void>;
  /** Waits that are not over, in milliseconds from now. */
  waits(): number[];
};

/** A clock that stands at `startAt`. */
export function createFakeClock(startAt: number): FakeClock {
  let nowMs = 0;
  const waiting = new Set<{ dueMs: number; fire: () => void }>();
  const nextDue = (untilMs: number) =>
    [...waiting].filter(({ dueMs }) => dueMs <= untilMs).toSorted((one, other) => one.dueMs - other.dueMs)[0];
  return {
    now: () => startAt + nowMs,
    upMs: () => nowMs,
    wait: (durationMs, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(false);
        const entry = { dueMs: nowMs + durationMs, fire: () => settle(true) };
        const settle = (isOver: boolean): void => {
          waiting.delete(entry);
          resolve(isOver);
        };
        waiting.add(entry);
        signal.addEventListener("abort", () => settle(false), { once: true });
      }),
    async pass(ms) {
      const untilMs = nowMs + ms;
      await calm();
      for (let next = nextDue(untilMs); next !== undefined; next = nextDue(untilMs)) {
        nowMs = Math.max(nowMs, next.dueMs);
        next.fire();
        await calm();
      }
      nowMs = untilMs;
      await calm();
    },
    calm,
    waits: () => [...waiting].map(({ dueMs }) => dueMs - nowMs),
  };
}

/** Promises settle in chains; between two turns of the event loop a whole chain does. */
async function calm(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
