import type { SessionRecord } from "../../core/session/session-record.ts";

/**
 * Loops of host sessions, one record each. Everything is synchronous: a hook may be asked by its host to answer at
 * once, and a change that is never interrupted cannot be overtaken. Nothing here throws.
 */
export type SessionStore = {
  read(sessionId: string): SessionRecord | null;
  /**
   * Changes one record, alone: nobody else reads between its reading and its writing. `step` gets what is stored, or
   * null, and gives what shall be stored, or null to remove it; the same object leaves it as it is. False: it could
   * not be stored, and nothing has changed.
   */
  change(sessionId: string, step: (record: SessionRecord | null) => SessionRecord | null): boolean;
  /** Every readable record, at most a thousand. */
  list(): SessionRecord[];
};
