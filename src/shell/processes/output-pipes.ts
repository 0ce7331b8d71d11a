import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

/** One pipe: a descriptor for the child to write to, and the stream to read from. */
export type OutputPipe = {
  writeEnd: number;
  /** Call once, after the child has started. */
  read(): Readable;
  /** Lets go of the pipe when no child has started. */
  abandon(): void;
};

/**
 * Two real pipes for standard output and error, or null where they are not needed or cannot be had. Node itself gives
 * a child sockets, and on Linux a command that writes to `/dev/stderr` or `/dev/stdout` fails on a socket.
 */
export async function openOutputPipes(): Promise<[OutputPipe, OutputPipe] | null> {
  if (process.platform !== "linux") return null;
  const folder = await mkdtemp(join(tmpdir(), "ralph-pipes-")).catch(() => null);
  if (folder === null) return null;
  const paths: [string, string] = [join(folder, "stdout"), join(folder, "stderr")];
  const opened: OutputPipe[] = [];
  try {
    await promisify(execFile)("mkfifo", paths, { timeout: 5_000 });
    for (const path of paths) opened.push(openPipe(path));
  } catch {
    for (const pipe of opened) pipe.abandon();
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const [stdout, stderr] = opened;
  return stdout === undefined || stderr === undefined ? null : [stdout, stderr];
}

// The reading end comes first and does not wait; so the writing end finds a reader and need not wait either.
function openPipe(path: string): OutputPipe {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, constants.O_WRONLY);
  return {
    writeEnd,
    read: () => {
      closeSync(writeEnd);
      return new Socket({ fd: readEnd, readable: true, writable: false });
    },
    abandon: () => {
      closeSync(writeEnd);
      closeSync(readEnd);
    },
  };
}
