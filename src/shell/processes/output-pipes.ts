import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { rm } from "node:fs/promises";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { makePassingFolder } from "../lib/passing-folder.ts";

/** Takes what was read; false: no more until the stream is resumed. The bytes are overwritten by the next ones. */
export type TakeBytes = (bytes: Uint8Array) => boolean;

/** One pipe: a descriptor for the child to write to, and the stream to read from. */
export type OutputPipe = {
  writeEnd: number;
  /** Call once, after the child has started. All that is read goes to `take`, none of it is emitted. */
  read: (take: TakeBytes) => Readable;
  /** Lets go of the pipe when no child has started. */
  abandon(): void;
};

/** Gives out pipes for standard output and error. */
export type OutputPipes = {
  /** Two real pipes, or null where they are not needed or cannot be had. Must not reject. */
  open(): Promise<[OutputPipe, OutputPipe] | null>;
};

/**
 * Node itself gives a child sockets, and on Linux a command that writes to `/dev/stderr` or `/dev/stdout` fails on a
 * socket. Making a named pipe takes a program, so a pipe that was read to its end is kept, nameless, and used again.
 */
export function createOutputPipes(): OutputPipes {
  const idle: number[] = [];
  const open = async (): Promise<[OutputPipe, OutputPipe] | null> => {
    // Bun, on which a host may run us, gives a child real pipes and reads nothing from ours (seen with 1.3.14).
    if (process.platform !== "linux" || "bun" in process.versions) return null;
    if (idle.length < 2) idle.push(...(await makePipes()));
    const [first, second] = idle.splice(0, 2);
    if (first === undefined || second === undefined) return null;
    const stdout = openPipe(first, idle);
    const stderr = openPipe(second, idle);
    if (stdout !== null && stderr !== null) return [stdout, stderr];
    stdout?.abandon();
    stderr?.abandon();
    return null;
  };
  return { open };
}

/** A pipe of Linux holds as much. */
const readBytes = 64 * 1024;

// Each is known by a descriptor that keeps it; its name is gone at once.
async function makePipes(): Promise<number[]> {
  const folder = makeFolder();
  if (folder === null) return [];
  const paths = [join(folder, "stdout"), join(folder, "stderr")];
  const made: number[] = [];
  try {
    await promisify(execFile)("mkfifo", paths, { timeout: 5_000 });
    for (const path of paths) made.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    return made;
  } catch {
    for (const keeper of made) closeSync(keeper);
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function makeFolder(): string | null {
  try {
    return makePassingFolder("pipes");
  } catch {
    // No temporary directory, or a full one: the child gets the sockets of Node.
    return null;
  }
}

// The reading end comes first and does not wait; so the writing end finds a reader and need not wait either.
function openPipe(keeper: number, idle: number[]): OutputPipe | null {
  const ends: number[] = [];
  try {
    ends.push(openSync(`/proc/self/fd/${keeper}`, constants.O_RDONLY | constants.O_NONBLOCK));
    ends.push(openSync(`/proc/self/fd/${keeper}`, constants.O_WRONLY));
  } catch {
    for (const end of [...ends, keeper]) closeSync(end);
    return null;
  }
  const [readEnd = -1, writeEnd = -1] = ends;
  return {
    writeEnd,
    read: (take) => {
      closeSync(writeEnd);
      // One buffer for all that is read: new ones, 64 KB each, are freed so late that they pile up to 100 MB.
      const onread = {
        buffer: Buffer.allocUnsafeSlow(readBytes),
        callback: (count: number, buffer: Uint8Array) => take(buffer.subarray(0, count)),
      };
      const stream = new Socket({ fd: readEnd, readable: true, writable: false, onread });
      // At its end nobody can write to the pipe any more and it is empty: as good as new.
      stream.once("end", () => void idle.push(keeper));
      stream.once("close", () => {
        if (!stream.readableEnded) closeSync(keeper);
      });
      return stream;
    },
    abandon: () => {
      for (const end of ends) closeSync(end);
      idle.push(keeper);
    },
  };
}
