import { hostname } from "node:os";
import type { Clock, Owner, Processes, SharedFiles } from "../ports.ts";
import { readSharedText } from "./read-shared-text.ts";

/** Enough of the process port to own a lock and to tell whether another owner lives. */
export type Identities = Pick<Processes, "self" | "isAlive">;

/** A held lock. */
export type HeldFile = { release(): void };

export type LockOptions = {
  path: string;
  files: SharedFiles;
  identities: Identities;
  clock: Clock;
  /** How long to wait for a living holder; 0 asks once. */
  waitMs: number;
};

/** How often a held lock is asked for again. */
const pollMs = 10;

/** A lock without a readable owner is being written, which takes microseconds, unless it is older than this. */
const unreadableMs = 1000;

/**
 * Takes a lock file, which names its owner by pid, start time and PID namespace; that of a dead owner is taken over. Null: a
 * living process kept it for the whole wait. A holder on another host counts as alive, one in another PID namespace while that
 * lives.
 */
export async function takeLockFile(options: LockOptions): Promise<HeldFile | null> {
  const { path, files, identities, clock, waitMs } = options;
  const owner: Owner = { ...(await identities.self()), host: hostname() };
  // The token makes every taking of the lock a different text, also by one process.
  const text = JSON.stringify({ ...owner, token: `${process.pid}-${(takings += 1)}-${process.hrtime.bigint()}` });
  const dueMs = clock.upMs() + waitMs;
  for (;;) {
    if (files.createOnce(path, text)) return { release: () => removeIfStill(path, text, files) };
    if (removeStale(options, owner.host)) continue;
    if (clock.upMs() >= dueMs) return null;
    await clock.wait(pollMs, new AbortController().signal);
  }
}

/** The synchronous form, for a hook that must answer its host: the thread sleeps between two tries, at most `waitMs`. */
export function takeLockFileNow(options: LockOptions & { owner: Owner }): HeldFile | null {
  const { path, files, clock, owner, waitMs } = options;
  const text = JSON.stringify({ ...owner, token: `${process.pid}-${(takings += 1)}-${process.hrtime.bigint()}` });
  const dueMs = clock.upMs() + waitMs;
  for (;;) {
    if (files.createOnce(path, text)) return { release: () => removeIfStill(path, text, files) };
    if (removeStale(options, owner.host)) continue;
    if (clock.upMs() >= dueMs) return null;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
}

let takings = 0;

function removeIfStill(path: string, text: string, files: SharedFiles): void {
  if (readSharedText(path, files) === text) files.remove(path);
}

/**
 * Removes the lock of a dead owner. Only who creates the file beside it, named for just this lock, may remove it; so of
 * two who found the same owner dead, the slower one cannot remove the lock the faster one took meanwhile.
 */
function removeStale(options: LockOptions, host: string): boolean {
  const { path, files } = options;
  const text = readSharedText(path, files);
  if (text === null) return true;
  if (!isStale(options, text, host)) return false;
  const right = `${path}.takeover`;
  if (!files.createOnce(right, "")) {
    if (isOld(right, options)) files.remove(right);
    return false;
  }
  try {
    removeIfStill(path, text, files);
  } finally {
    files.remove(right);
  }
  return true;
}

function isStale(options: LockOptions, text: string, host: string): boolean {
  const owner = parseOwner(text);
  if (owner === null) return isOld(options.path, options);
  return owner.host === host && !options.identities.isAlive(owner);
}

function parseOwner(text: string): Owner | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const { pid, startTime, host, namespace } = value as Partial<Record<string, unknown>>;
    const isOwner = typeof pid === "number" && typeof startTime === "string" && typeof host === "string";
    const place = typeof namespace === "string" ? { namespace } : {};
    return isOwner ? { pid, startTime, host, ...place } : null;
  } catch {
    return null;
  }
}

/** Also with a time that lies ahead: whoever set it is not writing the lock now. */
function isOld(path: string, { files, clock }: LockOptions): boolean {
  const entry = files.look(path);
  return entry !== null && Math.abs(clock.now() - entry.changedAt) > unreadableMs;
}
