import type { Readable } from "node:stream";
import type { Limits } from "./limits.ts";
import type { TakeBytes } from "./output-pipes.ts";

export type OutputReader = {
  /** Settles when both streams are read to their end, or when whoever still holds them open says nothing more. */
  drain(): Promise<void>;
};

/** Opens an output of a process; all that is read goes to the taker. */
export type OpenOutput = (take: TakeBytes) => Readable;

type OutputOptions = {
  streams: { open: OpenOutput; take: (chunk: Uint8Array) => Promise<void> | undefined }[];
  limits: Pick<Limits, "noteOutput" | "hold" | "release">;
};

/** With every writer gone, what is left in a pipe is there to be read at once. */
const quietMs = 500;

/** A taker that never lets go, or a writer that could not be ended, must not hold the end of a turn. */
const drainMs = 30_000;

/** Reads the streams of a process as fast as their takers allow. */
export function readOutput(options: OutputOptions): OutputReader {
  const counts = { activity: 0, holds: 0 };
  const read = ({ open, take }: OutputOptions["streams"][number]): Readable => {
    const letGo = (): void => {
      counts.holds -= 1;
      counts.activity += 1;
      options.limits.release();
      stream.resume();
    };
    const stream = open((chunk) => {
      counts.activity += 1;
      options.limits.noteOutput();
      const isTaken = takeSafely(take, chunk);
      if (isTaken === undefined) return true;
      counts.holds += 1;
      options.limits.hold();
      isTaken.then(letGo, letGo);
      return false;
    });
    stream.on("error", () => undefined);
    return stream.resume();
  };
  const streams = options.streams.map(read);
  const isOpen = (): boolean => streams.some((stream) => !stream.closed);
  return {
    drain: async () => {
      const deadline = performance.now() + drainMs;
      let seen = -1;
      while (isOpen() && (counts.holds > 0 || seen !== counts.activity) && performance.now() < deadline) {
        seen = counts.activity;
        await allClosed(streams, quietMs);
      }
      for (const stream of streams) stream.destroy();
    },
  };
}

/** Opens a stream that Node made, which gives new memory for each chunk. */
export function openEmitting(stream: Readable): OpenOutput {
  return (take) =>
    stream.on("data", (chunk: Uint8Array) => {
      if (!take(chunk)) stream.pause();
    });
}

// A taker must not throw. If it does, its output is lost to it, but the process is still looked after.
function takeSafely(
  take: (chunk: Uint8Array) => Promise<void> | undefined,
  chunk: Uint8Array,
): Promise<void> | undefined {
  try {
    return take(chunk);
  } catch {
    return undefined;
  }
}

function allClosed(streams: readonly Readable[], timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    const look = (): void => {
      if (streams.some((stream) => !stream.closed)) return;
      clearTimeout(timer);
      resolve();
    };
    for (const stream of streams) stream.once("close", look);
    look();
  });
}
