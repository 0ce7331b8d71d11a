import { findDashLine, unescapeDashLines } from "./dash-line.ts";
import { type EntryHeader, parseHeader } from "./entry-header.ts";
import { bodyBytesMax, headerBytesMax } from "./entry-limits.ts";
import type { BusMessage } from "./message.ts";

/** What reading needs from outside of core. `parseYaml` may throw; `decode` must not. */
export type EntryReading = {
  decode: (bytes: Uint8Array) => string;
  crc32: (bytes: Uint8Array) => number;
  parseYaml: (text: string) => unknown;
};

/** An entry, or its state: further bytes may complete it (`more`), or it can never be completed (`broken`). */
export type EntryResult =
  | { kind: "entry"; message: BusMessage; end: number; isSealed: boolean }
  | { kind: "more" }
  | { kind: "broken" };

/**
 * Reads the entry whose opening `---` line ends at `headerStart`. `isLast`: nothing follows for now, so an entry that
 * does not tell its length ends where the bytes do.
 */
export function readEntry(bytes: Uint8Array, headerStart: number, reading: EntryReading, isLast: boolean): EntryResult {
  const close = findDashLine(bytes.subarray(0, headerStart + headerBytesMax), headerStart);
  if (close === null) return bytes.length - headerStart < headerBytesMax ? { kind: "more" } : { kind: "broken" };
  const header = parseHeader(reading.decode(bytes.subarray(headerStart, close.start)), reading.parseYaml);
  if (header === null) return { kind: "broken" };
  return header.body === null
    ? readOpenBody({ bytes, start: close.end, header, isLast }, reading)
    : readSealedBody({ bytes, start: close.end, header }, header.body, reading);
}

type Body = { bytes: Uint8Array; start: number; header: EntryHeader };

function readSealedBody(
  { bytes, start, header }: Body,
  mark: NonNullable<EntryHeader["body"]>,
  reading: EntryReading,
): EntryResult {
  const end = start + mark.bytes;
  if (mark.bytes > bodyBytesMax) return { kind: "broken" };
  if (bytes.length <= end) {
    // No body of ours holds such a line, so it opens another entry and the rest of this one never came.
    return findDashLine(bytes, start) === null ? { kind: "more" } : { kind: "broken" };
  }
  const body = bytes.subarray(start, end);
  if (bytes[end] !== newline || reading.crc32(body) !== mark.crc32) return { kind: "broken" };
  const text = reading.decode(body);
  const message = { ...header.message, body: mark.isEscaped ? unescapeDashLines(text) : text };
  return { kind: "entry", message, end: end + 1, isSealed: true };
}

/** A body of other writers ends at the next entry; the lines after a `---` decide whether it begins one. */
function readOpenBody(
  { bytes, start, header, isLast }: Body & { isLast: boolean },
  reading: EntryReading,
): EntryResult {
  const next = findNextOpening(bytes, start, reading);
  const isEnded = next !== null || (isLast && bytes.at(-1) === newline);
  const end = next ?? bytes.length;
  if (end - start > bodyBytesMax) return { kind: "broken" };
  if (!isEnded) return { kind: "more" };
  const body = reading.decode(bytes.subarray(start, end)).replace(/[\r\n]+$/, "");
  return { kind: "entry", message: { ...header.message, body }, end, isSealed: false };
}

function findNextOpening(bytes: Uint8Array, from: number, reading: EntryReading): number | null {
  let open = findDashLine(bytes, from);
  while (open !== null) {
    const close = findDashLine(bytes.subarray(0, open.end + headerBytesMax), open.end);
    if (close === null) return null;
    if (/^msg_id:/m.test(reading.decode(bytes.subarray(open.end, close.start)))) return open.start;
    open = close;
  }
  return null;
}

const newline = 10;
