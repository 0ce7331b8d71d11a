/** Which limit ended a process. `silence` is the grace after a result, no failure. */
export type ReachedLimit = "idle" | "wall" | "silence";

export type Limits = {
  noteOutput(): void;
  /** While the reader holds the output back, nobody can tell silence from waiting. */
  hold(): void;
  release(): void;
  endAfterSilence(silenceMs: number): void;
  stop(): void;
};

type LimitOptions = { idleMs: number | null; wallMs: number | null; onReached(limit: ReachedLimit): void };

/** Node fires a timer set for longer than this at once. */
const timerMsMax = 2 ** 31 - 1;

/** Watches one process on the monotonic clock and reports the first limit it reaches, once. */
export function createLimits(options: LimitOptions): Limits {
  const startedAt = performance.now();
  let outputAt = startedAt;
  let silenceMs: number | null = null;
  let holds = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const dues = (): { limit: ReachedLimit; at: number }[] => {
    const all: { limit: ReachedLimit; at: number }[] = [];
    if (options.wallMs !== null) all.push({ limit: "wall", at: startedAt + options.wallMs });
    if (options.idleMs !== null && holds === 0) all.push({ limit: "idle", at: outputAt + options.idleMs });
    if (silenceMs !== null && holds === 0) all.push({ limit: "silence", at: outputAt + silenceMs });
    return all.toSorted((first, second) => first.at - second.at);
  };
  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
  };
  const arm = (): void => {
    clearTimeout(timer);
    const next = dues()[0];
    if (isStopped || next === undefined) return;
    const leftMs = Math.max(0, next.at - performance.now());
    // Output that arrived while this program was stopped or busy is read before the limit is judged.
    timer = setTimeout(() => setImmediate(judge), Math.min(Math.ceil(leftMs), timerMsMax));
  };
  const judge = (): void => {
    const reached = dues()[0];
    if (isStopped || reached === undefined || reached.at > performance.now()) return arm();
    stop();
    options.onReached(reached.limit);
  };

  arm();
  return {
    noteOutput: () => {
      outputAt = performance.now();
    },
    hold: () => {
      holds += 1;
    },
    release: () => {
      holds -= 1;
      outputAt = performance.now();
      arm();
    },
    endAfterSilence: (milliseconds) => {
      silenceMs = milliseconds;
      outputAt = performance.now();
      arm();
    },
    stop,
  };
}
