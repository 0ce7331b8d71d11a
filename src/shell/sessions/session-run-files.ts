import { mkdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import {
  foldLine,
  linesOf,
  readLine,
  type SessionChange,
  type SessionLine,
} from "../../core/session/session-journal.ts";
import { isSwitchedOff, parseStored, type SessionRecord } from "../../core/session/session-record.ts";
import { isSwitchedOffBy } from "../../core/session/session-run.ts";
import { count, hasShape, objectOf, type Shape } from "../../core/shape/shape.ts";
import { isObject } from "../../core/text/is-object.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { readBytesFile, readTextFile, type ReadRules } from "../lib/read-text-file.ts";
import { createSharedFiles } from "../lib/shared-files.ts";
import { statIfThere } from "../lib/stat-if-there.ts";
import { writeAtomicNow } from "../lib/write-atomic-now.ts";

/** A session as its folder holds it: the record after every line that follows from it. */
export type StoredRun = {
  record: SessionRecord;
  journal: JournalEnd;
  /** Why the journal does not lead to this record, so that its next line must hold it; null: it does. */
  gap: string | null;
  /** Why lines after those cannot be used; null: there are none, or the last one was not written whole. */
  problem: string | null;
};

/** How far a journal was read or written: the number of its last line, and the bytes up to there. */
export type JournalEnd = { seq: number; bytes: number };

/** The files in the folder of a session. */
export const stateFileName = "state.json";
export const journalFileName = "journal.ndjson";

/** A state holds a prompt and a few numbers; a journal a few kilobytes per iteration. Larger files are none of ours. */
export const stateRules: ReadRules = { bytesMax: 16 * 1024 * 1024, links: "follow" };
const journalRules: ReadRules = { bytesMax: 256 * 1024 * 1024, links: "refuse" };

/**
 * Reads a session's folder; null when there is no session in it. Lines that were written after the state was stored are
 * folded into it: their hook was killed before it could store their end. A text says why the state cannot be used.
 */
export function readStoredRun(folder: string): StoredRun | string | null {
  const run = readFolded(folder);
  if (run === null || typeof run === "string" || !isSwitchedOff(run.record)) return run;
  return isSwitchedOffBy(readJournalLines(folder)) ? run : "loop.active does not fit its run";
}

function readFolded(folder: string): StoredRun | string | null {
  const text = readTextFile(join(folder, stateFileName), stateRules);
  const size = statIfThere(join(folder, journalFileName))?.size ?? 0;
  if (text === null) return size === 0 ? null : foldRest(folder, { record: null, journal: nothingWritten, gap: null });
  const stored = parseState(text);
  if (typeof stored === "string") return stored;
  if (size === stored.journal.bytes) return { ...stored, problem: null };
  return size < stored.journal.bytes ? withGap(stored, size) : foldRest(folder, stored);
}

/** Every whole line of a session's journal in order; a text where one cannot be read. */
export function readJournalLines(folder: string): (SessionLine | string)[] {
  const bytes = readBytesFile(join(folder, journalFileName), journalRules) ?? Buffer.alloc(0);
  return [...linesIn(bytes, 0)].map(({ line }) => line);
}

/**
 * Stores a change: first its lines, then the record. A hook that is killed in between has stored the change, and one that
 * is killed within the lines only those that are whole; nothing was carried out of either.
 */
export function writeStoredRun(
  folder: string,
  { stored, change, now }: { stored: StoredRun | null; change: SessionChange; now: number },
): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const gap = stored?.gap ?? null;
  const begin = change.begin ?? (stored === null || gap === null ? null : { because: gap, record: stored.record });
  const { seq, bytes } = stored?.journal ?? nothingWritten;
  const lines = linesOf({ ...change, begin }, seq, now);
  const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  if (text.length > 0) append(folder, { from: bytes, text, now });
  const journal = { seq: seq + lines.length, bytes: bytes + text.length };
  try {
    writeAtomicNow(join(folder, stateFileName), `${JSON.stringify({ ...change.record, journal }, null, 2)}\n`);
  } catch (error) {
    // What is not stored must not count later.
    if (text.length > 0) truncateSync(join(folder, journalFileName), bytes);
    throw error;
  }
}

const nothingWritten: JournalEnd = { seq: 0, bytes: 0 };
const journalEndShape: Shape<JournalEnd> = objectOf<JournalEnd>({ seq: count, bytes: count });

type Known = { record: SessionRecord | null; journal: JournalEnd; gap: string | null };

function parseState(text: string): (Known & { record: SessionRecord }) | string {
  const value = parsed(text);
  const stored = parseStored(value);
  if (typeof stored === "string") return stored;
  const journal = isObject(value) ? value["journal"] : null;
  if (!hasShape(journalEndShape, journal)) return "it does not say how far its journal is written";
  const { record, isUpgraded } = stored;
  return { record, journal, gap: isUpgraded ? "an earlier version stored this record" : null };
}

/** Lines are missing: a power cut took them, or somebody removed them. The state is whole and counts. */
function withGap(stored: Known & { record: SessionRecord }, size: number): StoredRun {
  const journal = { seq: stored.journal.seq, bytes: size };
  return { ...stored, journal, gap: "lines before this one are lost", problem: null };
}

function foldRest(folder: string, known: Known): StoredRun | string | null {
  const bytes = readBytesFile(join(folder, journalFileName), journalRules) ?? Buffer.alloc(0);
  let { record, journal } = known;
  let problem: string | null = null;
  for (const { line, end } of linesIn(bytes.subarray(journal.bytes), journal.seq)) {
    const next = typeof line === "string" ? line : foldLine(record, line);
    if (typeof next === "string") {
      problem = `line ${journal.seq + 1} of ${join(folder, journalFileName)} does not fold: ${next}`;
      break;
    }
    record = next;
    journal = { seq: journal.seq + 1, bytes: known.journal.bytes + end };
  }
  if (record === null) return problem;
  return { record, journal, gap: known.gap, problem };
}

/** The whole lines in some bytes, and where each ends; the last line of a killed hook may lack its end. */
function* linesIn(bytes: Buffer, lastSeq: number): Generator<{ line: SessionLine | string; end: number }> {
  for (let from = 0, seq = lastSeq + 1; ; seq += 1) {
    const at = bytes.indexOf(newline, from);
    if (at < 0) return;
    yield { line: readLine(bytes.toString("utf8", from, at), seq), end: at + 1 };
    from = at + 1;
  }
}

const newline = 10;

/** What stands after the lines that count is kept aside when it is whole, and cut off. */
function append(folder: string, { from, text, now }: { from: number; text: Buffer; now: number }): void {
  const path = join(folder, journalFileName);
  const file = createSharedFiles().open(path, "append");
  if (file === null) throw new Error(`${path} cannot be written`);
  try {
    if (file.size() > from) {
      const rest = (readBytesFile(path, journalRules) ?? Buffer.alloc(0)).subarray(from);
      if (rest.includes(newline)) writeAtomicNow(`${path}.unusable-${now}`, rest.toString("utf8"));
      truncateSync(path, from);
    }
    const written = file.append(text);
    if (written !== text.length) throw new Error(`${path}: only ${written} of ${text.length} bytes were written`);
  } finally {
    file.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return thrownText(error);
  }
}
