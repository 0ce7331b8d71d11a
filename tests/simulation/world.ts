import type { Clock } from "../../src/shell/ports.ts";

/**
 * Simulated time. Nothing waits for real: when everything that can happen now has happened, the clock jumps to the
 * next timer. `busy` counts calls that finish by themselves, such as the store's; time stands still meanwhile.
 */
export type World = {
  clock(life: Life): Clock;
  /** Calls back after simulated time, unless the life that asked is over. */
  after(durationMs: number, life: Life | null, callback: () => void): () => void;
  /** Lets the wall clock jump; the monotonic one does not notice. */
  jump(byMs: number): void;
  busy<Result>(work: Promise<Result>): Promise<Result>;
  /** Runs until `isDone`, or rejects when nothing can happen any more. */
  run(isDone: () => boolean): Promise<void>;
  upMs(): number;
  /** The wall clock. */
  now(): number;
};

/** One incarnation of the program. After its death nothing it asked for is answered. */
export type Life = { isOver: boolean; pid: number };

/** A promise for those who died. */
export function never<Result>(): Promise<Result> {
  return new Promise(() => {});
}

type Timer = { dueMs: number; order: number; life: Life | null; callback: () => void };

/** More steps than any run of the simulation needs; beyond it a run is stuck. */
const stepsMax = 200_000;

/** A world at a fixed date. */
export function createWorld(): World {
  let upMs = 0;
  let wallOffsetMs = Date.UTC(2026, 10, 15);
  let order = 0;
  let busyCount = 0;
  const timers = new Set<Timer>();
  const now = (): number => Math.round(wallOffsetMs + upMs);
  const after: World["after"] = (durationMs, life, callback) => {
    const timer = { dueMs: upMs + Math.max(0, durationMs), order: order++, life, callback };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const fireNext = (): boolean => {
    let next: Timer | null = null;
    for (const timer of timers) if (next === null || isBefore(timer, next)) next = timer;
    if (next === null) return false;
    timers.delete(next);
    upMs = Math.max(upMs, next.dueMs);
    if (next.life?.isOver !== true) next.callback();
    return true;
  };
  return {
    after,
    upMs: () => upMs,
    now,
    jump: (byMs) => {
      wallOffsetMs += byMs;
    },
    async busy(work) {
      busyCount += 1;
      try {
        return await work;
      } finally {
        busyCount -= 1;
      }
    },
    clock: (life) => ({
      now,
      upMs: () => upMs,
      wait: (durationMs, signal) => waitFor(after, durationMs, life, signal),
    }),
    async run(isDone) {
      for (let step = 0; step < stepsMax; step++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (isDone()) return;
        if (busyCount > 0) continue;
        if (!fireNext()) throw new Error("the run is stuck: nothing can happen any more");
      }
      throw new Error(
        `the run did not end within ${stepsMax} steps (${busyCount} busy, ${timers.size} timers, at ${upMs})`,
      );
    },
  };
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.dueMs === other.dueMs ? one.order < other.order : one.dueMs < other.dueMs;
}

function waitFor(after: World["after"], durationMs: number, life: Life, signal: AbortSignal): Promise<boolean> {
  if (life.isOver) return never();
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = after(durationMs, life, () => {
      signal.removeEventListener("abort", abort);
      resolve(true);
    });
    const abort = (): void => {
      stop();
      if (!life.isOver) resolve(false);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** Lets time pass while no program is at work; agents that were left alone go on. */
export function passTime(world: World, durationMs: number): Promise<void> {
  const dueMs = world.upMs() + durationMs;
  world.after(durationMs, null, () => {});
  return world.run(() => world.upMs() >= dueMs);
}
