import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { parseSession, type SessionRecord } from "../../core/session/session-record.ts";
import { type LockOrder, takeLockFileNow } from "../lib/lock-file.ts";
import { readTextFile } from "../lib/read-text-file.ts";
import { createSharedFiles } from "../lib/shared-files.ts";
import type { Owner, ProcessIdentity } from "../ports.ts";
import { isAlive } from "../processes/is-alive.ts";
import { createProcTable } from "../processes/proc-table.ts";
import { createPsTable } from "../processes/ps-table.ts";
import { realClock } from "../lib/real-clock.ts";
import { statIfThere } from "../lib/stat-if-there.ts";
import { writeAtomicNow } from "../lib/write-atomic-now.ts";
import { brokenMark } from "./broken-session.ts";
import { sessionFileName } from "./session-file-name.ts";
import type { SessionStore } from "./session-store.ts";

/** What can go wrong with a file, as it is logged (S0-11, S0-12, S0-13). */
export type FileFault = { doing: "read" | "write" | "clear"; error: string };

export type FileSessionsOptions = {
  folder: string;
  /** Files of the older generation, which hold one loop each. */
  oldFiles: readonly OldFile[];
  /** For files that do not say: where their session works, and how long a continuation waits. */
  defaults: { directory: string; continuationDelay: number };
  onFault(fault: FileFault): void;
};

/** `isTrusted`: outside of the agent's reach. One that is not counts only when it is older than this program. */
export type OldFile = { path: string; isTrusted: boolean };

/** Sessions as JSON files in a folder, changed under a lock file and written by rename (CW-0K). */
export function openFileSessions(options: FileSessionsOptions): SessionStore {
  const files: Files = { ...options, locking: null };
  return {
    read: (sessionId) => guard(files, "read", null, () => readSession(files, sessionId)?.record ?? null),
    change: (sessionId, step) => changeSession(files, sessionId, step),
    list: () => guard(files, "read", [], () => listSessions(files)),
  };
}

/** The longest a hook waits for another one that changes the same session; a change takes a few milliseconds. */
const lockWaitMs = 2000;

/** More files than this are not looked at: nobody runs a thousand sessions. */
const listedMax = 1000;

/** A state holds a prompt and a few numbers; a larger file is none of ours. */
const fileBytesMax = 16 * 1024 * 1024;

/** Made with the first change: reading needs none of it. */
type Locking = Pick<LockOrder, "files" | "clock" | "identities"> & { owner: Owner };
type Files = FileSessionsOptions & { locking: Locking | null };
type Found = { record: SessionRecord; oldPath: string | null };

function guard<Result>(files: Files, doing: FileFault["doing"], otherwise: Result, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    files.onFault({ doing, error: error instanceof Error ? error.message : String(error) });
    return otherwise;
  }
}

function changeSession(
  files: Files,
  sessionId: string,
  step: (record: SessionRecord | null) => SessionRecord | null,
): boolean {
  const path = join(files.folder, sessionFileName(sessionId));
  return guard(files, "write", false, () => {
    mkdirSync(files.folder, { recursive: true, mode: 0o700 });
    const lock = takeLockFileNow({ path: `${path}.lock`, waitMs: lockWaitMs, ...lockingOf(files) });
    if (lock === null) throw new Error(`${path}.lock is held by another process`);
    try {
      const found = guard(files, "read", null, () => readSession(files, sessionId));
      const next = step(found?.record ?? null);
      if (next === (found?.record ?? null)) return true;
      if (next === null) return guard(files, "clear", false, () => clear(path, found));
      writeAtomicNow(path, `${JSON.stringify(next, null, 2)}\n`);
      if (found?.oldPath != null) renameSync(found.oldPath, `${found.oldPath}.adopted`);
      return true;
    } finally {
      lock.release();
    }
  });
}

function clear(path: string, found: Found | null): boolean {
  rmSync(path, { force: true });
  // Kept under another name: what is not in the way any more is not lost either.
  if (found?.oldPath != null) renameSync(found.oldPath, `${found.oldPath}.adopted`);
  return true;
}

function readSession(files: Files, sessionId: string): Found | null {
  const own = readFileOf(files, join(files.folder, sessionFileName(sessionId)));
  if (own !== null) return own.loop.sessionId === sessionId ? { record: own, oldPath: null } : null;
  for (const old of files.oldFiles) {
    if (!isBelievable(old)) continue;
    const record = guard(files, "read", null, () => readFileOf(files, old.path));
    if (record?.loop.sessionId === sessionId) return { record, oldPath: old.path };
  }
  return null;
}

/** Null: there is no such file. One that cannot be used lies aside afterwards; that and any other fault is thrown. */
function readFileOf(files: Files, path: string): SessionRecord | null {
  const record = parseFile(files, path);
  if (typeof record !== "string") return record;
  const aside = `${path}${brokenMark}${Date.now()}`;
  renameSync(path, aside);
  throw new Error(`${path}: ${record}; it is kept as ${aside}`);
}

/** Looks without touching: another program, or another version of this one, may know what to do with the file. */
function lookAtFile(files: Files, path: string): SessionRecord | null {
  const record = parseFile(files, path);
  if (typeof record === "string") throw new Error(`${path}: ${record}`);
  return record;
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
    return error instanceof Error ? error.message : String(error);
  }
}

/** An agent can write into its project; what it wrote since we run starts no loop. */
function isBelievable({ path, isTrusted }: OldFile): boolean {
  const stat = statIfThere(path);
  return stat !== null && (isTrusted || stat.mtimeMs < Date.now() - process.uptime() * 1000);
}

function listSessions(files: Files): SessionRecord[] {
  const all = statIfThere(files.folder) === null ? [] : readdirSync(files.folder);
  const names = all.filter((name) => name.endsWith(".json") && name.startsWith("session-"));
  const own = names.slice(0, listedMax).map((name) => join(files.folder, name));
  const old = files.oldFiles.filter(isBelievable).map(({ path }) => path);
  return [...own, ...old].flatMap((path) => guard(files, "read", null, () => lookAtFile(files, path)) ?? []);
}

function lockingOf(files: Files): Locking {
  files.locking ??= newLocking();
  return files.locking;
}

function newLocking(): Locking {
  const table = process.platform === "linux" ? createProcTable() : createPsTable();
  const startTime = table.readOne(process.pid)?.startTime ?? "unknown";
  const owner = { pid: process.pid, startTime, host: hostname() };
  const identities = { self: () => Promise.resolve(owner), isAlive: (other: ProcessIdentity) => isAlive(table, other) };
  return { files: createSharedFiles(), clock: realClock, identities, owner };
}
