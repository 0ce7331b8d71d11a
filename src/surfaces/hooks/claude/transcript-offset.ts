import { closeSync, fstatSync, readSync } from "node:fs";
import type { TranscriptOffset } from "../../../core/session/transcript-offset.ts";
import { openRegularFile } from "../../../shell/lib/read-text-file.ts";

/** The end of the last whole line of a record, with the bytes before it; null where there is none, or no record. */
export function endOfRecord(path: string): Omit<TranscriptOffset, "queued"> | null {
  return withRecord(path, (file, size) => {
    const start = Math.max(0, size - lineBytesMax);
    const bytes = readAt(file, start, size - start);
    const end = start + bytes.lastIndexOf(newline) + 1;
    return end === start ? null : { file: fileOf(file), bytes: end, tail: tailAt(file, end) };
  });
}

/** Where to begin to read a record again: at an offset of the same file, else at its begin. */
export function beginAt(path: string, offset: TranscriptOffset | null): number {
  if (offset === null) return 0;
  const begin = withRecord(path, (file, size) => {
    const isSame = offset.file === fileOf(file) && size >= offset.bytes && tailAt(file, offset.bytes) === offset.tail;
    return isSame ? offset.bytes : 0;
  });
  return begin ?? 0;
}

/** A last line that is longer was not written whole, as far as we can see. */
const lineBytesMax = 1024 * 1024;

/** Enough to tell another text of the same file: lines have ids and times. */
const tailBytes = 200;

const newline = 10;

function withRecord<Result>(path: string, use: (file: number, size: number) => Result): Result | null {
  try {
    const file = openRegularFile(path, "follow");
    if (file === null) return null;
    try {
      return use(file, fstatSync(file).size);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function fileOf(file: number): string {
  const { dev, ino } = fstatSync(file);
  return `${dev}.${ino}`;
}

function tailAt(file: number, end: number): string {
  const start = Math.max(0, end - tailBytes);
  return readAt(file, start, end - start).toString("base64");
}

function readAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, start));
}
