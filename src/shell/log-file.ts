import { closeSync, ftruncateSync, futimesSync, mkdirSync, openSync, rmSync, writev } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { LogFile } from "./ports.ts";

/** Chunks waiting to be written; above this the writer waits, so that memory stays flat. */
const queuedBytesMax = 4 * 1024 * 1024;

/** One write takes at most so many chunks (the kernel's limit for one call). */
const batchChunksMax = 1024;

/** The older tail is set back in time by this much, so that the order shows whatever the clock's grain. */
const olderBySeconds = 10;

/** One part of a log on disk: the head, or one of two tails that take turns. */
type Segment = { path: string; bytesMax: number; file: number; bytes: number };

/**
 * A log of bounded size: the first half of `keepBytesMax` stays as head, then two tails of a quarter each take turns,
 * the older one being dropped. Every chunk is handed to the kernel at once, so a killed program loses almost nothing.
 * A chunk must not be changed after it was handed over.
 */
export function createLogFile(path: string, keepBytesMax: number): LogFile {
  const log = openSegments(path, keepBytesMax);
  const queue: Uint8Array[] = [];
  let queuedBytes = 0;
  let bytes = 0;
  let isWriting = false;
  let room: PromiseWithResolvers<void> | null = null;

  const pump = async (): Promise<void> => {
    isWriting = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, batchChunksMax);
      const batchBytes = batch.reduce((sum, chunk) => sum + chunk.length, 0);
      await log.append(batch);
      queuedBytes -= batchBytes;
      if (queuedBytes > queuedBytesMax / 2) continue;
      room?.resolve();
      room = null;
    }
    isWriting = false;
  };
  let pumped: Promise<void> = Promise.resolve();

  return {
    write: (chunk) => {
      bytes += chunk.length;
      queue.push(chunk);
      queuedBytes += chunk.length;
      if (!isWriting) pumped = pump();
      if (queuedBytes < queuedBytesMax) return undefined;
      room ??= Promise.withResolvers();
      return room.promise;
    },
    close: async () => {
      await pumped;
      return { bytes, ...log.close() };
    },
  };
}

type SegmentedLog = {
  /** Must not reject. */
  append(chunks: Uint8Array[]): Promise<void>;
  close(): { droppedBytes: number; problem: string | null };
};

function openSegments(path: string, keepBytesMax: number): SegmentedLog {
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
    if (next.file < 0) next.file = openSync(next.path, "w");
    ftruncateSync(next.file, 0);
    const setBack = Date.now() / 1000 - olderBySeconds;
    futimesSync(full.file, setBack, setBack);
  };
  const appendAll = async (chunks: Uint8Array[]): Promise<void> => {
    let rest = chunks;
    while (rest.length > 0) {
      const segment = segments[current];
      if (segment === undefined) return;
      const fitting = takeBytes(rest, segment.bytesMax - segment.bytes);
      if (fitting.length === 0) {
        moveOn();
        continue;
      }
      const written = await writeOnce(segment, fitting);
      if (written === 0 && fitting.some((chunk) => chunk.length > 0))
        throw new Error(`cannot write to ${segment.path}`);
      segment.bytes += written;
      rest = dropBytes(rest, written);
    }
  };

  try {
    mkdirSync(dirname(path), { recursive: true });
    for (const tail of tails) rmSync(tail.path, { force: true });
    head.file = openSync(path, "w");
  } catch (error) {
    problem = describe(error);
  }
  return {
    append: async (chunks) => {
      const before = segments.reduce((sum, segment) => sum + segment.bytes, droppedBytes);
      const offered = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      try {
        if (problem === null) await appendAll(chunks);
      } catch (error) {
        problem = describe(error);
      }
      const after = segments.reduce((sum, segment) => sum + segment.bytes, droppedBytes);
      droppedBytes += before + offered - after;
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

function tailPaths(path: string): [string, string] {
  return [`${path}.tail-a`, `${path}.tail-b`];
}

// The beginning of `chunks`, `bytesMax` bytes at most.
function takeBytes(chunks: Uint8Array[], bytesMax: number): Uint8Array[] {
  const taken: Uint8Array[] = [];
  let left = bytesMax;
  for (const chunk of chunks) {
    if (left <= 0) break;
    taken.push(chunk.length <= left ? chunk : chunk.subarray(0, left));
    left -= chunk.length;
  }
  return taken;
}

function dropBytes(chunks: Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  let index = 0;
  for (const chunk of chunks) {
    if (chunk.length > left) break;
    left -= chunk.length;
    index += 1;
  }
  const first = chunks[index];
  if (first === undefined || left === 0) return chunks.slice(index);
  return [first.subarray(left), ...chunks.slice(index + 1)];
}

function writeOnce(segment: Segment, chunks: Uint8Array[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(segment.file, chunks, segment.bytes, (error, written) => {
      if (error === null) resolve(written);
      else reject(error);
    });
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
  const file = await openIfThere(path);
  if (file === null) return;
  try {
    while (true) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(readBytes), 0, readBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
