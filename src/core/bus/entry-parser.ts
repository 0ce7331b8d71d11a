import { isDashLine } from "./dash-line.ts";
import { parseLegacyLine } from "./legacy-line.ts";
import type { BusMessage } from "./message.ts";
import { type EntryReading, readEntry } from "./read-entry.ts";

/** Reads a bus from bytes as they come. Nothing here throws, whatever the bytes are. */
export type EntryParser = {
  /** Takes further bytes and returns the messages they complete. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): BusMessage[];
  /** Nothing comes for now: also returns a last entry that does not tell its length. An unfinished one stays. */
  settle(): BusMessage[];
  /** A line of the old form was left out because its number is not known. */
  hasUnnumbered(): boolean;
};

/** Where in the file reading begins: `start`, or in the middle of anything. */
export type ParserStart = "start" | "middle";

/** Lines of the old form are short; a longer line between entries is not decoded. */
const legacyBytesMax = 64 * 1024;

/**
 * A parser that never delivers half an entry and finds its way back after a broken one. It then is wary until it met a
 * whole entry: only those with a checksum count, and those that follow a blank line.
 */
export function createEntryParser(reading: EntryReading, start: ParserStart): EntryParser {
  const pending = createPending();
  let lineNumber = 1;
  let isWary = start === "middle";
  let isInLine = start === "middle";
  let isAfterBlank = start === "start";
  let isUnnumbered = false;

  const takeLine = (end: number): void => {
    const lineBytes = end - pending.position();
    isAfterBlank = lineBytes === 1 || (lineBytes === 2 && pending.bytes()[pending.position()] === carriageReturn);
    pending.take(end);
    lineNumber += 1;
  };
  const takeEntry = (end: number): void => {
    lineNumber += countNewlines(pending.bytes().subarray(pending.position(), end));
    pending.take(end);
    [isWary, isAfterBlank] = [false, true];
  };
  const readLine = (end: number): BusMessage | null => {
    if (isWary || end - pending.position() > legacyBytesMax || pending.bytes()[pending.position()] !== bracket)
      return null;
    const text = reading.decode(pending.bytes().subarray(pending.position(), end - 1));
    const message = parseLegacyLine(text, lineNumber);
    if (message === null || start === "start") return message;
    isUnnumbered = true;
    return null;
  };

  // Null: more bytes are needed.
  const step = (isLast: boolean): BusMessage[] | null => {
    const bytes = pending.bytes();
    const position = pending.position();
    const newlineAt = bytes.indexOf(newline, position);
    if (newlineAt < 0) return null;
    const end = newlineAt + 1;
    if (isInLine || !isDashLine(bytes, position, newlineAt)) {
      const message = isInLine ? null : readLine(end);
      takeLine(end);
      // What is left of a cut line says nothing about that line.
      isAfterBlank &&= !isInLine;
      isInLine = false;
      return message === null ? [] : [message];
    }
    const result = readEntry(bytes, end, reading, isLast);
    if (result.kind === "more") return null;
    if (result.kind === "entry" && (result.isSealed || !isWary || isAfterBlank)) {
      takeEntry(result.end);
      return [result.message];
    }
    isWary = true;
    takeLine(end);
    return [];
  };
  const drain = (isLast: boolean): BusMessage[] => {
    const messages: BusMessage[] = [];
    for (let found = step(isLast); found !== null; found = step(isLast)) messages.push(...found);
    pending.drop();
    return messages;
  };

  return {
    push: (chunk) => {
      pending.add(chunk);
      return drain(false);
    },
    settle: () => drain(true),
    hasUnnumbered: () => isUnnumbered,
  };
}

const newline = 10;
const carriageReturn = 13;
const bracket = 91;

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}

/** Bytes not yet read, in a buffer that doubles, so that a long body is not copied again with each chunk. */
function createPending() {
  let buffer = new Uint8Array(initialBytes);
  let length = 0;
  let position = 0;
  return {
    bytes: () => buffer.subarray(0, length),
    position: () => position,
    add: (chunk: Uint8Array): void => {
      if (length + chunk.length > buffer.length) {
        const larger = new Uint8Array(Math.max(buffer.length * 2, length + chunk.length));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(chunk, length);
      length += chunk.length;
    },
    take: (end: number): void => {
      position = end;
    },
    /** Forgets what was taken. */
    drop: (): void => {
      buffer.copyWithin(0, position, length);
      length -= position;
      position = 0;
    },
  };
}

const initialBytes = 64 * 1024;
