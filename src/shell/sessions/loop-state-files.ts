import { resolve } from "node:path";
import { defaultRalphLoopConfig } from "../../core/session/loop/loop-config.ts";
import { parseLoopState, type RalphLoopState } from "../../core/session/loop/loop-state.ts";
import { cancelSession, givenRecord } from "../../core/session/session-journal.ts";
import { newSession, type SessionRecord } from "../../core/session/session-record.ts";
import { openFileSessions } from "./file-session-store.ts";
import { consoleLog, logFault, type LoopLog } from "./loop-log.ts";
import { oldStateFiles, sessionsFolder } from "./sessions-folder.ts";
import type { SessionStore } from "./session-store.ts";

/** Where a loop's state is. */
export type LoopStateOptions = {
  /** Instead of ralph's own folder. */
  stateDir?: string;
  /** Where the session works; the current directory. */
  workdir?: string;
  log?: LoopLog;
};

/** The stored loop of a session, without a session the newest active one of the directory; null when there is none. */
export function readState(sessionId?: string, options: LoopStateOptions = {}): RalphLoopState | null {
  const sessions = openSessions(options);
  if (sessionId !== undefined) return sessions.read(sessionId)?.loop ?? null;
  return newestOf(sessions.list(), defaultsOf(options).directory)?.loop ?? null;
}

/** Stores a loop under its session, whole or not at all; false, with a warning, when it cannot (S0-12). */
export function writeState(state: RalphLoopState, options: LoopStateOptions = {}): boolean {
  const log = options.log ?? consoleLog;
  const loop = parseLoopState(state);
  if (typeof loop === "string") {
    logFault(log, { doing: "write", error: loop });
    return false;
  }
  const defaults = { ...defaultsOf(options), criterionCount: 0, at: Date.now() };
  return openSessions(options).change(loop.sessionId, (record) => {
    const isNew = record === null || record.loop.startedAt !== loop.startedAt;
    if (isNew) return givenRecord(newSession(loop, defaults), "a program wrote this loop");
    const run = { ...record.run, iteration: loop.iteration };
    return givenRecord({ ...record, loop, run }, "a program changed the loop");
  });
}

/** Removes a session's loop; true also when there was none (S0-13). */
export function clearState(sessionId: string, options: LoopStateOptions = {}): boolean {
  const sessions = openSessions(options);
  const moment = { at: Date.now(), upMs: 0 };
  return (
    sessions.read(sessionId) === null ||
    sessions.change(sessionId, (record) => (record === null ? null : cancelSession(record, moment)))
  );
}

/** Counts one iteration more; null when there is no loop or it could not be stored (S0-14). */
export function incrementIteration(sessionId: string, options: LoopStateOptions = {}): RalphLoopState | null {
  const next: { loop: RalphLoopState | null } = { loop: null };
  const sessions = openSessions(options);
  if (sessions.read(sessionId) === null) return null;
  const isStored = sessions.change(sessionId, (record) => {
    if (record === null) return null;
    const iteration = record.loop.iteration + 1;
    next.loop = { ...record.loop, iteration, lastIterationAt: new Date().toISOString() };
    const run = { ...record.run, iteration };
    return givenRecord({ ...record, loop: next.loop, run }, "a program counted one iteration more");
  });
  return isStored ? next.loop : null;
}

/** The loops of all sessions, for `ralph status`. A file that cannot be read is left out and named. */
export function listLoops(folder: string, onProblem: (text: string) => void): SessionRecord[] {
  return openLoops(folder, onProblem).list();
}

/** The loops of all sessions in a folder, for commands. */
export function openLoops(folder: string, onProblem: (text: string) => void): SessionStore {
  const defaults = { directory: "", continuationDelay: defaultRalphLoopConfig.continuationDelay };
  return openFileSessions({
    folder,
    host: null,
    oldFiles: [],
    defaults,
    onFault: ({ error }) => onProblem(error),
  });
}

/** Among several loops of one directory, the one started last. */
export function newestOf(records: readonly SessionRecord[], directory: string): SessionRecord | null {
  const here = records.filter((record) => record.directory === directory && record.loop.active);
  return here.reduce<SessionRecord | null>(
    (newest, record) => (newest === null || record.loop.startedAt > newest.loop.startedAt ? record : newest),
    null,
  );
}

/** The files of these options, faults going to their log. Without a host those of every program are meant. */
export function openSessions(options: LoopStateOptions & { continuationDelay?: number; host?: string }): SessionStore {
  const log = options.log ?? consoleLog;
  const { directory } = defaultsOf(options);
  return openFileSessions({
    folder: sessionsFolder(options.stateDir),
    host: options.host ?? null,
    oldFiles: oldStateFiles(options.stateDir, directory),
    defaults: defaultsOf(options),
    onFault: (fault) => logFault(log, fault),
  });
}

function defaultsOf(options: LoopStateOptions & { continuationDelay?: number }) {
  return {
    directory: resolve(options.workdir ?? process.cwd()),
    continuationDelay: options.continuationDelay ?? defaultRalphLoopConfig.continuationDelay,
  };
}
