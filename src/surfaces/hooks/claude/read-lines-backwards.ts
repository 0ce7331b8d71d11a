import { closeSync, fstatSync, readSync } from "node:fs";
import { openRegularFile } from "../../../shell/lib/read-text-file.ts";

const chunkBytes = 256 * 1024;

/** Which bytes of a file are read: from the begin of a line to the end of one, at most so many; absent: the whole file. */
export type LineRange = { bytesMax: number; from?: number; to?: number };

/** Gives the lines of a file, the last one first, until `take` has enough; false when there is no such file. */
export function readLinesBackwards(path: string, range: LineRange, take: (line: string) => boolean): boolean {
  try {
    const file = openRegularFile(path, "follow");
    if (file === null) return false;
    try {
      readChunksBackwards(file, range, take);
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    // A session that has just begun has no record yet.
    return false;
  }
}

function readChunksBackwards(file: number, range: LineRange, take: (line: string) => boolean): void {
  const { bytesMax, from = 0, to: last = Number.POSITIVE_INFINITY } = range;
  const size = Math.min(fstatSync(file).size, last);
  const first = Math.max(from, size - bytesMax);
  // Bytes of a line whose begin is not read yet, in pieces, the later ones first.
  let rest: Buffer[] = [];
  for (let end = size; end > first;) {
    const start = Math.max(first, end - chunkBytes);
    const chunk = Buffer.allocUnsafe(end - start);
    const length = readSync(file, chunk, 0, chunk.length, start);
    end = start;
    let to = length;
    for (let at = to === 0 ? -1 : chunk.lastIndexOf(newline, to - 1); at >= 0;) {
      const line = Buffer.concat([chunk.subarray(at + 1, to), ...rest]);
      rest = [];
      if (line.length > 0 && !take(line.toString("utf8"))) return;
      to = at;
      at = at === 0 ? -1 : chunk.lastIndexOf(newline, at - 1);
    }
    rest = [chunk.subarray(0, to), ...rest];
  }
  const line = Buffer.concat(rest);
  if (first === from && line.length > 0) take(line.toString("utf8"));
}

const newline = 10;
