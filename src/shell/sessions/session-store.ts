import type { SessionChange } from "../../core/session/session-journal.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";

/** One session run per host session: a loop of ours, or stops that are judged without one. */
export type SessionKind = "loop" | "stops";

/**
 * Runs of host sessions, one record each; without a kind, loops are meant. Everything is synchronous: a hook may be asked by its host to answer at
 * once, and a change that is never interrupted cannot be overtaken. Nothing here throws.
 */
export type SessionStore = {
  /** The run of a session; null when it has none of that kind, or when it has ended. */
  read(sessionId: string, kind?: SessionKind): SessionRecord | null;
  /**
   * Changes one record, alone: nobody else reads between its reading and its writing. `step` gets what is stored, or
   * null, and gives what shall be stored, or null to leave it as it is. The steps are in the journal before the record
   * is stored; a run whose record has an outcome is not read again. A loop ends the run without one; while a loop lives,
   * no other run of its session begins, and `step` is not called. False: it could not be stored, and nothing has changed.
   */
  change(sessionId: string, step: (record: SessionRecord | null) => SessionChange | null, kind?: SessionKind): boolean;
  /** Every readable record that has not ended, at most a thousand. */
  list(kind?: SessionKind): SessionRecord[];
};
