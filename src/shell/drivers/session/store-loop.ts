import { beginSession, cancelSession } from "../../../core/session/session-journal.ts";
import type { RalphLoopState } from "../../../core/session/loop/loop-state.ts";
import type { SessionStart } from "../../../core/session/session-record.ts";
import type { Clock } from "../../ports.ts";
import type { SessionStore } from "../../sessions/session-store.ts";

/** Stores a loop whose first prompt is given. One loop per session: the former one ends before it. Null: not stored. */
export function storeLoop(
  { store, clock }: { store: SessionStore; clock: Clock },
  loop: RalphLoopState,
  given: Omit<SessionStart, "at">,
): "started" | "restarted" | null {
  const isThere = store.read(loop.sessionId) !== null;
  const moment = { at: clock.now(), upMs: clock.upMs() };
  const end = (): boolean =>
    store.change(loop.sessionId, (record) => (record === null ? null : cancelSession(record, moment)));
  if (isThere && !end()) return null;
  if (!store.change(loop.sessionId, () => beginSession(loop, { ...given, at: moment.at }))) return null;
  return isThere ? "restarted" : "started";
}
