import { createEntryParser } from "../../core/bus/entry-parser.ts";
import type { BusMessage } from "../../core/bus/message.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { archivesBefore } from "./archives.ts";
import type { OpenFile, SharedFiles } from "../ports.ts";
import { createSource, readChunks } from "./bus-source.ts";
import { entryCodec } from "./entry-codec.ts";
import { openForReading } from "./open-bus.ts";

/** Which messages are wanted. */
export type IsWanted = (message: BusMessage) => boolean;

/** The first window a tail is read from; it grows until it holds enough. */
const windowBytes = 64 * 1024;

/** What is read, and which messages of it are wanted; all of them unless said. */
export type BusReading = { files: SharedFiles; isWanted?: IsWanted };

/** All messages of a bus, oldest first, with those of its archives. Takes no lock. Empty when there is no bus. */
export function readAll(path: string, { files, isWanted = everyMessage }: BusReading): BusMessage[] {
  const read: BusMessage[][] = [];
  for (const opened of openNewestFirst(path, files)) read.unshift(readWhole(opened));
  return read.flat().filter(isWanted);
}

/** The last `count` wanted messages, archives included. Reads no more of the files than it must. */
export function readTail(path: string, count: number, { files, isWanted = everyMessage }: BusReading): BusMessage[] {
  return collectTail(openNewestFirst(path, files), count, isWanted);
}

/** The last `count` wanted messages of these archives, given oldest first. */
export function readArchivedTail(
  archives: readonly string[],
  count: number,
  { files, isWanted = everyMessage }: BusReading,
): BusMessage[] {
  return collectTail(openArchives(archives, files), count, isWanted);
}

/** The messages after `id`, archives included. Throws code `unknown-message` when no file has it. */
export function readSince(path: string, id: string, { files, isWanted = everyMessage }: BusReading): BusMessage[] {
  let later: BusMessage[] = [];
  for (const opened of openNewestFirst(path, files)) {
    const messages = readWhole(opened);
    const index = messages.findLastIndex((message) => message.id === id);
    later = [...messages.slice(index + 1), ...later];
    if (index >= 0) return later.filter(isWanted);
  }
  throw unknownMessage(path, id);
}

/** The error for an unknown message, distinct from all others: a reader may then start from the beginning. */
export function unknownMessage(path: string, id: string): RalphError {
  return new RalphError(
    "unknown-message",
    `The message bus ${path} has no message ${id}.`,
    "Read without --since to start from the beginning.",
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
function* openNewestFirst(path: string, files: SharedFiles): Generator<OpenFile> {
  const current = openForReading(path, files);
  const archives = archivesBefore(path, current?.entry.identity ?? null, files);
  if (current !== null) yield* closedAfter(current);
  yield* openArchives(archives, files);
}

function* openArchives(archives: readonly string[], files: SharedFiles): Generator<OpenFile> {
  for (const archive of archives.toReversed()) {
    const opened = openForReading(archive, files);
    if (opened !== null) yield* closedAfter(opened);
  }
}

function* closedAfter(opened: OpenFile): Generator<OpenFile> {
  try {
    yield opened;
  } finally {
    opened.close();
  }
}

function readWhole(opened: OpenFile): BusMessage[] {
  const source = createSource(opened);
  return [...source.read(), ...source.settle()];
}

function readTailOf(opened: OpenFile, count: number, isWanted: IsWanted): BusMessage[] {
  const end = opened.entry.bytes;
  for (let bytes = windowBytes; bytes < end; bytes *= 4) {
    const parser = createEntryParser(entryCodec, "middle");
    const found: BusMessage[] = [];
    readChunks(opened, { start: end - bytes, end }, (chunk) => found.push(...parser.push(chunk)));
    const wanted = [...found, ...parser.settle()].filter(isWanted);
    // A line of the old form is numbered from the start of the file.
    if (parser.hasUnnumbered()) break;
    if (wanted.length >= count) return wanted.slice(-count);
  }
  return readWhole(opened).filter(isWanted).slice(-count);
}
