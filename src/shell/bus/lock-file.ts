import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import type { Clock, Owner, Processes } from "../ports.ts";

/** Enough of the process port to own a lock and to tell whether another owner lives. */
export type Identities = Pick<Processes, "self" | "isAlive">;

/** A held lock. */
export type HeldFile = { release(): void };

export type LockOrder = {
  path: string;
  identities: Identities;
  clock: Clock;
  /** How long to wait for a living holder; 0 asks once. */
  waitMs: number;
};

/** How often a held lock is asked for again. */
const pollMs = 10;

/** A lock without a readable owner is being written, unless it is older than this. */
const unreadableMs = 5_000;

/**
 * Takes a lock file, which names its owner by pid and start time; that of a dead owner is taken over. Null: a living
 * process kept it for the whole wait. A holder on another host counts as alive.
 */
export async function takeLockFile({ path, identities, clock, waitMs }: LockOrder): Promise<HeldFile | null> {
  const owner: Owner = { ...(await identities.self()), host: hostname() };
  // The token makes every taking of the lock a different text, also by one process.
  const text = JSON.stringify({ ...owner, token: `${process.pid}-${(takings += 1)}-${process.hrtime.bigint()}` });
  mkdirSync(dirname(path), { recursive: true });
  const dueMs = clock.upMs() + waitMs;
  for (;;) {
    if (createOnce(path, text)) return { release: () => releaseOwn(path, text) };
    if (removeStale(path, { identities, host: owner.host, now: clock.now() })) continue;
    if (clock.upMs() >= dueMs) return null;
    await clock.wait(pollMs, new AbortController().signal);
  }
}

let takings = 0;

/** False: somebody else has it. */
function createOnce(path: string, text: string): boolean {
  let file = -1;
  try {
    file = openSync(path, "wx", 0o644);
    writeSync(file, text);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    if (file >= 0) closeSync(file);
  }
}

function releaseOwn(path: string, text: string): void {
  if (readIfThere(path) === text) rmSync(path, { force: true });
}

type Judging = { identities: Identities; host: string; now: number };

/**
 * Removes the lock of a dead owner. Only who creates the file beside it, named for just this lock, may remove it; so of
 * two who found the same owner dead, the slower one cannot remove the lock the faster one took meanwhile.
 */
function removeStale(path: string, judging: Judging): boolean {
  const text = readIfThere(path);
  if (text === null) return true;
  if (!isStale(path, text, judging)) return false;
  const right = `${path}.takeover`;
  if (!createOnce(right, "")) {
    if (isOlder(right, unreadableMs, judging.now)) rmSync(right, { force: true });
    return false;
  }
  try {
    if (readIfThere(path) === text) rmSync(path, { force: true });
  } finally {
    rmSync(right, { force: true });
  }
  return true;
}

function isStale(path: string, text: string, { identities, host, now }: Judging): boolean {
  const owner = parseOwner(text);
  if (owner === null) return isOlder(path, unreadableMs, now);
  return owner.host === host && !identities.isAlive(owner);
}

function parseOwner(text: string): Owner | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const { pid, startTime, host } = value as Partial<Record<string, unknown>>;
    const isOwner = typeof pid === "number" && typeof startTime === "string" && typeof host === "string";
    return isOwner ? { pid, startTime, host } : null;
  } catch {
    return null;
  }
}

function isOlder(path: string, ageMs: number, now: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && now - stat.mtimeMs > ageMs;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
