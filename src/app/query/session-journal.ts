import { join } from "node:path";
import type { JournalEntry } from "../../core/journal/journal-entry.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { replaySession, sessionRunId } from "../../core/session/session-run.ts";
import { endedFolderName } from "../../shell/sessions/session-file-name.ts";
import { sessionFolderName } from "../../shell/sessions/session-file-name.ts";
import { readJournalLines, readStoredRun } from "../../shell/sessions/session-run-files.ts";
import type { Records } from "../../shell/wire-store.ts";
import { sessionsIn } from "./find/session-runs.ts";

/** What a check of a living session's journal found: whether its lines lead to the stored state. */
export type SessionCheck = { isIntact: true; entries: number } | { isIntact: false; problem: string };

/** The journal of a session run after an entry, whether the run is over, and why lines after these cannot be read. */
export type SessionLog = { entries: JournalEntry[]; isOver: boolean; problem: string | null };

/** Entries read from the store at a time. */
const pageSize = 1000;

/** Reads on in the journal of a session run, wherever it is kept by now: its folder, that of ended ones, or the store. */
export async function readSessionLog(
  { store, folder }: Pick<Records, "store" | "folder">,
  session: SessionRecord,
  afterSeq: number,
): Promise<SessionLog> {
  const runId = sessionRunId(session);
  for (const [index, path] of foldersOf(folder, session).entries()) {
    const run = readRun(path, session);
    if (run === null) continue;
    const { problem, journal } = run;
    const all = journal.map((news, at): JournalEntry => ({ ...news, runId, seq: at + 1 }));
    // The last entry of a run with a problem is a note about it, not a line of its journal.
    const entries = (problem === null ? all : all.slice(0, -1)).slice(afterSeq);
    return { entries, isOver: index > 0 || run.last.run.outcome !== null, problem };
  }
  const entries = await store.readJournal(runId, afterSeq, pageSize);
  return { entries, isOver: entries.length < pageSize, problem: null };
}

/** Whether the lines of a living session lead to the state that is stored of it. */
export function checkSession(stateFolder: string, session: SessionRecord): SessionCheck {
  const [living = ""] = foldersOf(stateFolder, session);
  const check = (): SessionCheck => {
    const run = readRun(living, session);
    if (run === null) return { isIntact: false, problem: "There is no journal of it any more." };
    return run.problem === null
      ? { isIntact: true, entries: run.journal.length }
      : { isIntact: false, problem: run.problem };
  };
  const first = check();
  // A hook may have written between the two files: what is really broken stays so.
  return first.isIntact ? first : check();
}

/** Where the folder of a session run is: first while it lives, then until it is imported. */
function foldersOf(stateFolder: string, { host, loop }: SessionRecord): string[] {
  const sessions = sessionsIn(stateFolder);
  const name = sessionFolderName(host, loop.sessionId);
  return [join(sessions, name), join(sessions, endedFolderName, `${name}.${loop.startedAt.replaceAll(/[^0-9]/g, "")}`)];
}

/** Null: there is no such run in the folder, or a later one of the same session. */
function readRun(path: string, { loop }: SessionRecord): ReturnType<typeof replaySession> | null {
  const stored = readStoredRun(path);
  if (stored === null || typeof stored === "string" || stored.record.loop.startedAt !== loop.startedAt) return null;
  return replaySession(stored.record, readJournalLines(path));
}
