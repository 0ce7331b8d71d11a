import type { SessionChange } from "../../core/session/session-journal.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";

/**
 * Loops of host sessions, one record each. Everything is synchronous: a hook may be asked by its host to answer at
 * once, and a change that is never interrupted cannot be overtaken. Nothing here throws.
 */
export type SessionStore = {
  /** The loop of a session; null when it has none, or when it has ended. */
  read(sessionId: string): SessionRecord | null;
  /**
   * Changes one record, alone: nobody else reads between its reading and its writing. `step` gets what is stored, or
   * null, and gives what shall be stored, or null to leave it as it is. The steps are in the journal before the record
   * is stored; a loop whose record has an outcome is not read again. False: it could not be stored, and nothing has
   * changed.
   */
  change(sessionId: string, step: (record: SessionRecord | null) => SessionChange | null): boolean;
  /** Every readable record of a loop that has not ended, at most a thousand. */
  list(): SessionRecord[];
};
