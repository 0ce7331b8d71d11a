import {
  closeSync,
  existsSync,
  ftruncateSync,
  futimesSync,
  mkdirSync,
  openSync,
  read,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { LogFile } from "../ports.ts";
import { openRegularFile } from "./read-text-file.ts";
import { lstatIfThere } from "./stat-if-there.ts";

/** The older tail is set back in time by this much, so that the order shows whatever the clock's grain. */
const olderBySeconds = 10;

/** One part of a log on disk: the head, or one of two tails that take turns. */
type Segment = { path: string; bytesMax: number; file: number; bytes: number };

/**
 * A log of bounded size: the first half of `keepBytesMax` stays as head, then two tails of a quarter each take turns,
 * the older one being dropped. Every chunk is with the kernel when `write` returns, so a killed program loses nothing,
 * no chunk waits in memory, and a disk that is slower than the stream holds it back. (Through the thread pool the same
 * takes twice as long, and the waiting chunks keep the garbage collector busy.)
 */
export function createLogFile(path: string, keepBytesMax: number, access?: "private"): LogFile {
  const log = openSegments(path, keepBytesMax, access === "private" ? ownerOnly : anyNew);
  let bytes = 0;
  return {
    write: (chunk) => {
      bytes += chunk.length;
      log.append(chunk);
      return undefined;
    },
    close: () => Promise.resolve({ bytes, ...log.close() }),
  };
}

type SegmentedLog = {
  /** Must not throw. */
  append(chunk: Uint8Array): void;
  close(): { droppedBytes: number; problem: string | null };
};

/** Modes of new files and folders; the mask of the process narrows them. */
type Modes = { file: number; folder: number };
const ownerOnly: Modes = { file: 0o600, folder: 0o700 };
const anyNew: Modes = { file: 0o666, folder: 0o777 };

function openSegments(path: string, keepBytesMax: number, modes: Modes): SegmentedLog {
  const tailBytesMax = Math.max(1, Math.floor(keepBytesMax / 4));
  const head: Segment = { path, bytesMax: Math.max(1, Math.floor(keepBytesMax / 2)), file: -1, bytes: 0 };
  const tails = tailPaths(path).map((tail): Segment => ({ path: tail, bytesMax: tailBytesMax, file: -1, bytes: 0 }));
  const segments = [head, ...tails];
  let current = 0;
  let droppedBytes = 0;
  let problem: string | null = null;

  const moveOn = (): void => {
    const full = segments[current];
    current = current === 1 ? 2 : 1;
    const next = segments[current];
    if (next === undefined || full === undefined) return;
    droppedBytes += next.bytes;
    next.bytes = 0;
    if (next.file < 0) next.file = openAnew(next.path, modes.file);
    ftruncateSync(next.file, 0);
    const setBack = Date.now() / 1000 - olderBySeconds;
    futimesSync(full.file, setBack, setBack);
  };
  const writeFrom = (chunk: Uint8Array, from: number): number => {
    const segment = segments[current];
    if (segment === undefined) return chunk.length;
    const room = segment.bytesMax - segment.bytes;
    if (room <= 0) {
      moveOn();
      return from;
    }
    const length = Math.min(chunk.length - from, room);
    const written = writeSync(segment.file, chunk, from, length, segment.bytes);
    if (written === 0) throw new Error(`cannot write to ${segment.path}`);
    segment.bytes += written;
    return from + written;
  };

  try {
    mkdirSync(dirname(path), { recursive: true, mode: modes.folder });
    for (const tail of tails) if (existsSync(tail.path)) rmSync(tail.path);
    head.file = openAnew(path, modes.file);
  } catch (error) {
    problem = thrownText(error);
  }
  return {
    append: (chunk) => {
      let written = 0;
      try {
        while (problem === null && written < chunk.length) written = writeFrom(chunk, written);
      } catch (error) {
        problem = thrownText(error);
      }
      droppedBytes += chunk.length - written;
    },
    close: () => {
      for (const segment of segments) {
        if (segment.file >= 0) closeSync(segment.file);
        segment.file = -1;
      }
      return { droppedBytes, problem };
    },
  };
}

/**
 * A new file in place of one that is there: where an agent can write, a link with this name would carry what is logged
 * into a file of the user's, and a pipe would never open. Devices stay what they are.
 */
function openAnew(path: string, mode: number): number {
  const facts = lstatIfThere(path);
  if (facts === null) return openSync(path, "wx", mode);
  if (!facts.isFile() && !facts.isSymbolicLink() && !facts.isFIFO() && !facts.isSocket()) return openSync(path, "w");
  unlinkSync(path);
  return openSync(path, "wx", mode);
}

function tailPaths(path: string): [string, string] {
  return [`${path}.tail-a`, `${path}.tail-b`];
}

/** Reads what `createLogFile` kept: the head, then the older tail, then the newer. */
export async function* readLogFile(path: string): AsyncIterable<Uint8Array> {
  const tails = await Promise.all(tailPaths(path).map(readAge));
  const oldestFirst = tails.toSorted((first, second) => first.changedAt - second.changedAt);
  for (const file of [{ path }, ...oldestFirst]) yield* readSegment(file.path);
}

async function readAge(path: string): Promise<{ path: string; changedAt: number }> {
  const stats = await stat(path).catch(() => null);
  return { path, changedAt: stats?.mtimeMs ?? 0 };
}

const readBytes = 256 * 1024;

async function* readSegment(path: string): AsyncIterable<Uint8Array> {
  const file = openRegularFile(path, "refuse");
  if (file === null) return;
  try {
    while (true) {
      const buffer = Buffer.allocUnsafe(readBytes);
      const count = await new Promise<number>((resolve, reject) => {
        read(file, buffer, 0, readBytes, null, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
      });
      if (count === 0) return;
      yield buffer.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}
