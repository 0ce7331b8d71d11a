import { closeSync } from "node:fs";
import { createEntryParser } from "../../core/bus/entry-parser.ts";
import type { BusMessage } from "../../core/bus/message.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { archivesBefore } from "./archives.ts";
import { createSource, identityOf, readChunks } from "./bus-source.ts";
import { entryCodec } from "./entry-codec.ts";
import { type OpenFile, openForReading } from "./open-bus.ts";

/** Which messages are wanted. */
export type IsWanted = (message: BusMessage) => boolean;

/** The first window a tail is read from; it grows until it holds enough. */
const windowBytes = 64 * 1024;

/** All messages of a bus, oldest first, with those of its archives. Takes no lock. Empty when there is no bus. */
export function readAll(path: string, isWanted: IsWanted = everyMessage): BusMessage[] {
  const files: BusMessage[][] = [];
  for (const opened of openNewestFirst(path)) files.unshift(readWhole(opened));
  return files.flat().filter(isWanted);
}

/** The last `count` wanted messages, archives included. Reads no more of the files than it must. */
export function readTail(path: string, count: number, isWanted: IsWanted = everyMessage): BusMessage[] {
  return collectTail(openNewestFirst(path), count, isWanted);
}

/** The last `count` wanted messages of these archives, given oldest first. */
export function readArchivedTail(archives: readonly string[], count: number, isWanted: IsWanted): BusMessage[] {
  return collectTail(openArchives(archives), count, isWanted);
}

/** The messages after `id`, archives included. Throws code `unknown-message` when no file has it. */
export function readSince(path: string, id: string, isWanted: IsWanted = everyMessage): BusMessage[] {
  let later: BusMessage[] = [];
  for (const opened of openNewestFirst(path)) {
    const messages = readWhole(opened);
    const index = messages.findLastIndex((message) => message.id === id);
    later = [...messages.slice(index + 1), ...later];
    if (index >= 0) return later.filter(isWanted);
  }
  throw unknownMessage(path, id);
}

/** The error for a message nobody has, apart from all others: a reader may then begin anew. */
export function unknownMessage(path: string, id: string): RalphError {
  return new RalphError(
    "unknown-message",
    `The message bus ${path} has no message ${id}.`,
    "Read without --since to begin anew.",
  );
}

function collectTail(newestFirst: Iterable<OpenFile>, count: number, isWanted: IsWanted): BusMessage[] {
  let tail: BusMessage[] = [];
  if (count <= 0) return tail;
  for (const opened of newestFirst) {
    tail = [...readTailOf(opened, count - tail.length, isWanted), ...tail];
    if (tail.length >= count) break;
  }
  return tail;
}

function everyMessage(): boolean {
  return true;
}

/** The bus and its archives, each closed when the next one is asked for. */
function* openNewestFirst(path: string): Generator<OpenFile> {
  const current = openForReading(path);
  const archives = archivesBefore(path, current === null ? null : identityOf(current.stat));
  if (current !== null) yield* closedAfter(current);
  yield* openArchives(archives);
}

function* openArchives(archives: readonly string[]): Generator<OpenFile> {
  for (const archive of archives.toReversed()) {
    const opened = openForReading(archive);
    if (opened !== null) yield* closedAfter(opened);
  }
}

function* closedAfter(opened: OpenFile): Generator<OpenFile> {
  try {
    yield opened;
  } finally {
    closeSync(opened.file);
  }
}

function readWhole(opened: OpenFile): BusMessage[] {
  const source = createSource(opened);
  return [...source.read(), ...source.settle()];
}

function readTailOf(opened: OpenFile, count: number, isWanted: IsWanted): BusMessage[] {
  const end = opened.stat.size;
  for (let bytes = windowBytes; bytes < end; bytes *= 4) {
    const parser = createEntryParser(entryCodec, "middle");
    const found: BusMessage[] = [];
    readChunks(opened.file, { start: end - bytes, end }, (chunk) => found.push(...parser.push(chunk)));
    const wanted = [...found, ...parser.settle()].filter(isWanted);
    // A line of the old form is numbered from the start of the file.
    if (parser.hasUnnumbered()) break;
    if (wanted.length >= count) return wanted.slice(-count);
  }
  return readWhole(opened).filter(isWanted).slice(-count);
}
