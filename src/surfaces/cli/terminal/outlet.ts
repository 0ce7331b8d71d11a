import { write as writeFile } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { exactStream } from "./guard-output.ts";

/** Writes all of a text. Resolves when it is written; false when nobody will ever read it. Must not reject. */
export type Write = (text: string) => Promise<boolean>;

/** One writer that is never waited for: it takes the next text when the last one is written. */
export type Outlet = {
  /** There may be something to write. */
  wake: () => void;
  /** Resolves when everything is written, or nobody reads any more. */
  settled: () => Promise<void>;
};

/** Writes what `next` gives until it gives nothing; texts that come meanwhile are taken together. */
export function createOutlet(write: Write, next: () => string): Outlet {
  let running: Promise<void> | null = null;
  let isOpen = true;
  const run = async (): Promise<void> => {
    // Everything that happens in this moment goes into one write.
    await Promise.resolve();
    for (let text = next(); text !== ""; text = next()) {
      if (isOpen) isOpen = await write(text);
    }
    running = null;
  };
  return {
    wake: () => void (running ??= run()),
    settled: () => running ?? Promise.resolve(),
  };
}

/** Standard output or standard error. */
export type StandardStream = NodeJS.WriteStream & { fd: number };

/** How long to wait for a terminal that takes nothing at the moment. */
const retryMs = 10;

/**
 * The way to write to a stream of this process. Node writes to a terminal synchronously, so a stopped one (Ctrl-S)
 * would stop the whole program; there the bytes go through the thread pool. The text goes out as it is: a backlog gives only
 * clean text.
 */
export function writerOf(stream: StandardStream): Write {
  if (stream.isTTY) return (text) => writeAll(stream.fd, Buffer.from(text));
  return (text) =>
    new Promise((resolve) => {
      if (stream.destroyed) resolve(false);
      else exactStream(stream).write(text, (error) => resolve(error === null || error === undefined));
    });
}

async function writeAll(fd: number, bytes: Buffer): Promise<boolean> {
  let written = 0;
  while (written < bytes.length) {
    const count = await writeSome(fd, bytes.subarray(written));
    if (count === "gone") return false;
    if (count === 0) await wait(retryMs);
    written += count;
  }
  return true;
}

/** Bytes taken; none when the terminal is busy. */
function writeSome(fd: number, bytes: Buffer): Promise<number | "gone"> {
  return new Promise((resolve) => {
    writeFile(fd, bytes, (error, count) => {
      if (error === null) resolve(count);
      else resolve(error.code === "EAGAIN" || error.code === "EINTR" ? 0 : "gone");
    });
  });
}
