import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isLeftToLoop, isStopsRun, sessionOver } from "../../core/session/stops/native-stops.ts";
import { givenRecord, type SessionChange } from "../../core/session/session-journal.ts";
import { isAccepting, isReplayed } from "../../core/session/session-run.ts";
import { parseSession, type SessionRecord, unknownHost } from "../../core/session/session-record.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { type LockOptions, takeLockFileNow } from "../lib/lock-file.ts";
import { readTextFile } from "../lib/read-text-file.ts";
import { createSharedFiles } from "../lib/shared-files.ts";
import type { Owner, ProcessIdentity } from "../ports.ts";
import { isAlive } from "../processes/is-alive.ts";
import { identityOf, systemTable } from "../processes/identities.ts";
import { hookClock } from "../lib/real-clock.ts";
import { statIfThere } from "../lib/stat-if-there.ts";
import { brokenMark } from "./broken-session.ts";
import { moveEnded } from "./ended-sessions.ts";
import { markLoop, unmarkLoop } from "./loop-mark.ts";
import {
  endedFolderName,
  isFolderOf,
  sessionFileName,
  sessionFolderName,
  unusableFolderName,
} from "./session-file-name.ts";
import { readJournalLines, readStoredRun, stateFileName, type StoredRun, writeStoredRun } from "./session-run-files.ts";
import type { SessionKind, SessionStore } from "./session-store.ts";

/** What can go wrong with a file, as it is logged (S0-11, S0-12, S0-13). */
export type FileFault = { doing: "read" | "write" | "clear"; error: string };

export type FileSessionsOptions = {
  folder: string;
  /** The program whose sessions are meant; null: those of all of them. */
  host: string | null;
  /** Files of the older generation, which hold one loop each. */
  oldFiles: readonly OldFile[];
  /** For files that do not say: where their session works, and how long a continuation waits. */
  defaults: { directory: string; continuationDelay: number };
  onFault(fault: FileFault): void;
  /** Marks each loop beside its folder, for a host that looks for lost ones at a stop. */
  marksLoops?: boolean;
};

/** `isTrusted`: outside of the agent's reach. One that is not counts only when it is older than this program. */
export type OldFile = { path: string; isTrusted: boolean };

/**
 * A folder per session with its state and its journal, changed under a lock file (CW-0K). What earlier versions kept, one
 * file per session, is read too and taken over with the first change.
 */
export function openFileSessions(options: FileSessionsOptions): SessionStore {
  const files: Files = { ...options, locking: null };
  return {
    read: (sessionId, kind) => guard(files, "read", null, () => recordOf(findSession(files, sessionId), kind)),
    change: (sessionId, step, kind) => changeSession(files, { sessionId, step, kind: kind ?? "loop" }),
    list: (kind) => guard(files, "read", [], () => listSessions(files).filter(isOfKind(kind))),
  };
}

/**
 * Moves ended runs out of the way whose hooks were killed before they could, and ends those of sessions that nobody came
 * back to: a host that was killed does not tell of their end.
 */
export function sweepEnded(folder: string, onProblem: (text: string) => void): void {
  const defaults = { directory: "", continuationDelay: 0 };
  const onFault = ({ error }: FileFault): void => onProblem(error);
  const files: Files = { folder, host: null, oldFiles: [], defaults, onFault, locking: null };
  for (const name of foldersOf(files)) {
    const stored = readStoredRun(join(folder, name));
    if (stored === null || typeof stored === "string") continue;
    const { loop, run } = stored.record;
    const isLeft = isStopsRun(stored.record) && ageMs(join(folder, name)) > leftMs;
    if (run.outcome === null && !isLeft) continue;
    const over = (record: SessionRecord): SessionChange =>
      sessionOver(record, { at: Date.now(), upMs: 0 }, "The session did not come back");
    const step = (record: SessionRecord | null): SessionChange | null => (record === null ? null : over(record));
    changeSession(files, { sessionId: loop.sessionId, step, kind: "stops" });
  }
}

/** A week without a stop. */
const leftMs = 7 * 24 * 3_600_000;

function ageMs(folder: string): number {
  return Date.now() - (statIfThere(join(folder, stateFileName))?.mtimeMs ?? Date.now());
}

/** The longest a hook waits for another one that changes the same session; a change takes a few milliseconds. */
const lockWaitMs = 2000;

/** More files than this are not looked at: nobody runs a thousand sessions. */
const listedMax = 1000;

/** A state holds a prompt and a few numbers; a larger file is not ralph's. */
const fileBytesMax = 16 * 1024 * 1024;

/** Made with the first change: reading needs none of it. */
type Locking = Pick<LockOptions, "files" | "clock" | "identities"> & { owner: Owner };
type Files = FileSessionsOptions & { locking: Locking | null };

/** A session in its folder, or in a file of an earlier version; neither: it has no loop. */
type Found = { path: string; run: StoredRun | null; former: Former | null };
type Former = { record: SessionRecord; path: string; isOwn: boolean };

function guard<Result>(files: Files, doing: FileFault["doing"], otherwise: Result, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    files.onFault({ doing, error: thrownText(error) });
    return otherwise;
  }
}

type ChangeOptions = {
  sessionId: string;
  step: (record: SessionRecord | null) => SessionChange | null;
  kind: SessionKind;
};

function changeSession(files: Files, { sessionId, step, kind }: ChangeOptions): boolean {
  return guard(files, "write", false, () => {
    mkdirSync(files.folder, { recursive: true, mode: 0o700 });
    const lockPath = `${pathOf(files, sessionId)}.lock`;
    const lock = takeLockFileNow({ path: lockPath, waitMs: lockWaitMs, ...lockingOf(files) });
    if (lock === null) throw new Error(`${lockPath} is held by another process`);
    try {
      const found = guard(files, "read", null, () => findSession(files, sessionId));
      if (found !== null) moveIfEnded(files, found);
      const change = isLeftToLoop(kind, recordOf(found, "loop") !== null) ? null : step(recordOf(found, kind));
      if (change === null) return true;
      const isEnd = change.record.run.outcome !== null;
      return isEnd ? guard(files, "clear", false, () => store(files, found, change)) : store(files, found, change);
    } finally {
      lock.release();
    }
  });
}

function store(files: Files, found: Found | null, change: SessionChange): boolean {
  const path = found?.path ?? pathOf(files, change.record.loop.sessionId);
  const stops = recordOf(found, "stops");
  // One run per session: a loop takes the place of one without a loop.
  if (found !== null && stops !== null && !isStopsRun(change.record)) {
    store(files, found, sessionOver(stops, { at: Date.now(), upMs: 0 }, "A loop began in the session"));
    return store(files, { ...found, run: null }, change);
  }
  const stored = found?.run?.record.run.outcome === null ? found.run : null;
  if (stored !== null && stored.problem !== null) files.onFault({ doing: "read", error: stored.problem });
  if (stored !== null && isAccepting(change.record) && !isShown(path, stored))
    setAside(path, "its state is not the one that its journal leads to");
  const former = found?.former ?? null;
  const taken = former === null ? null : givenRecord(former.record, "an earlier version stored this record").begin;
  const begin = change.begin ?? taken;
  writeStoredRun(path, { stored, change: { ...change, begin }, now: Date.now() });
  // With every change: the hook that began the loop may have been killed before it marked it.
  if (files.marksLoops === true && change.record.run.outcome === null && !isStopsRun(change.record))
    markLoop(path, change.record.loop.startedAt);
  // What is not in the way any more is not lost either.
  if (former !== null)
    renameSync(former.path, former.isOwn ? join(path, "former-record.json") : `${former.path}.adopted`);
  if (change.record.run.outcome !== null) tryToMove(files, path, change.record.loop.startedAt);
  return true;
}

/** Whether the journal shows the state from which a claim is accepted. Where lines were lost, the state alone counts. */
function isShown(path: string, { record, journal, gap }: StoredRun): boolean {
  return gap !== null || isReplayed(record, readJournalLines(path).slice(0, journal.seq));
}

/** The hook that ended it was killed before it could move it. */
function moveIfEnded(files: Files, { run, path }: Found): void {
  if (run !== null && run.record.run.outcome !== null) moveEnded(files.folder, path, run.record.loop.startedAt);
}

/** The outcome is stored: one that cannot be moved now is moved with the next change. */
function tryToMove(files: Files, path: string, startedAt: string): void {
  guard(files, "clear", undefined, () => moveEnded(files.folder, path, startedAt));
}

function recordOf(found: Found | null, kind?: SessionKind): SessionRecord | null {
  const record = found?.run?.record ?? found?.former?.record ?? null;
  return record?.run.outcome === null && isOfKind(kind)(record) ? record : null;
}

function isOfKind(kind: SessionKind = "loop"): (record: SessionRecord) => boolean {
  return (record) => isStopsRun(record) === (kind === "stops");
}

function pathOf(files: Files, sessionId: string): string {
  const known = files.host === null ? foldersOf(files).find((name) => isFolderOf(name, sessionId)) : undefined;
  return join(files.folder, known ?? sessionFolderName(files.host ?? unknownHost, sessionId));
}

function findSession(files: Files, sessionId: string): Found | null {
  const path = pathOf(files, sessionId);
  const run = readRun(path);
  if (run !== null) return run.record.loop.sessionId === sessionId ? { path, run, former: null } : null;
  const own = { path: join(files.folder, sessionFileName(sessionId)), isTrusted: true };
  for (const old of [own, ...files.oldFiles]) {
    if (!isBelievable(old)) continue;
    const read = (): SessionRecord | null => readFormer(files, old.path);
    // One that cannot be used is this session's only if its name says so.
    const record = old === own ? read() : guard(files, "read", null, read);
    if (record?.loop.sessionId !== sessionId) continue;
    const folder = sessionFolderName(files.host ?? record.host, sessionId);
    const former = { record, path: old.path, isOwn: old === own };
    return { path: join(files.folder, folder), run: null, former };
  }
  return null;
}

/** Null: there is no such session. One that cannot be used lies aside afterwards; that and any other fault is thrown. */
function readRun(path: string): StoredRun | null {
  const run = readStoredRun(path);
  return typeof run === "string" ? setAside(path, run) : run;
}

function readFormer(files: Files, path: string): SessionRecord | null {
  const record = parseFile(files, path);
  return typeof record === "string" ? setAside(path, record) : record;
}

function setAside(path: string, problem: string): never {
  // Of two in one millisecond neither may take the place of the other.
  const first = Date.now();
  const aside = [0, 1, 2, 3, 4].map((later) => `${path}${brokenMark}${first + later}`).find(isFree);
  if (aside === undefined) throw new Error(`${path}: ${problem}; it cannot be kept aside`);
  unmarkLoop(path, null);
  renameSync(path, aside);
  throw new Error(`${path}: ${problem}; it is kept as ${aside}`);
}

function isFree(path: string): boolean {
  return statIfThere(path) === null;
}

/** A text says why the file cannot be used. */
function parseFile(files: Files, path: string): SessionRecord | string | null {
  const text = readTextFile(path, { bytesMax: fileBytesMax, links: "follow" });
  return text === null ? null : parse(text, files);
}

function parse(text: string, { defaults }: Files): SessionRecord | string {
  try {
    return parseSession(JSON.parse(text), { ...defaults, criterionCount: 0, at: Date.now() });
  } catch (error) {
    return thrownText(error);
  }
}

/** An agent can write into its project; what it wrote since we run starts no loop. */
function isBelievable({ path, isTrusted }: OldFile): boolean {
  const stat = statIfThere(path);
  return stat !== null && (isTrusted || stat.mtimeMs < Date.now() - process.uptime() * 1000);
}

function listSessions(files: Files): SessionRecord[] {
  const read = (path: string, look: () => StoredRun | SessionRecord | string | null): SessionRecord[] => {
    const found = guard(files, "read", null, () => withoutTouching(path, look()));
    return found === null || found.run.outcome !== null ? [] : [found];
  };
  const own = foldersOf(files).map((name) => join(files.folder, name));
  const all = statIfThere(files.folder) === null ? [] : readdirSync(files.folder);
  const former = all.filter((name) => name.endsWith(".json") && name.startsWith("session-")).slice(0, listedMax);
  const old = [
    ...former.map((name) => join(files.folder, name)),
    ...files.oldFiles.filter(isBelievable).map(({ path }) => path),
  ];
  return [
    ...own.flatMap((path) => read(path, () => readStoredRun(path))),
    ...old.flatMap((path) => read(path, () => parseFile(files, path))),
  ];
}

/** Another program, or another version of this one, may know what to do with what cannot be used. */
function withoutTouching(path: string, found: StoredRun | SessionRecord | string | null): SessionRecord | null {
  if (typeof found === "string") throw new Error(`${path}: ${found}`);
  return found !== null && "record" in found ? found.record : found;
}

/** The folders of sessions, those of ended loops and of unusable states left out. */
function foldersOf(files: Files): string[] {
  if (statIfThere(files.folder) === null) return [];
  return readdirSync(files.folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !isAside(entry.name))
    .slice(0, listedMax)
    .map(({ name }) => name);
}

function isAside(name: string): boolean {
  return name === endedFolderName || name === unusableFolderName || name.includes(brokenMark);
}

function lockingOf(files: Files): Locking {
  files.locking ??= newLocking();
  return files.locking;
}

function newLocking(): Locking {
  const table = systemTable();
  const owner = { ...identityOf(table), host: hostname() };
  const identities = { self: () => Promise.resolve(owner), isAlive: (other: ProcessIdentity) => isAlive(table, other) };
  return { files: createSharedFiles(), clock: hookClock, identities, owner };
}
