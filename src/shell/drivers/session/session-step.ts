import type { Effect } from "../../../core/run/effect.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import type { News } from "../../../core/run/news.ts";
import { stepRecord } from "../../../core/session/step-session.ts";
import type { Clock } from "../../ports.ts";
import type { SessionStore } from "../../sessions/session-store.ts";

/** What a step did: the record as it is now, or was when its run ended, and the orders to carry out. */
export type Stepped =
  | { kind: "none" }
  | { kind: "not-stored"; record: SessionRecord }
  | { kind: "stepped"; record: SessionRecord; effects: Effect[] };

/** Nothing was to be done. */
export const nothingStepped: Stepped = { kind: "none" };

/**
 * One transaction: read, decide, store. `news` may refuse by giving null: the record is no longer the one it thought of.
 */
export function stepSession(
  { store, clock }: { store: SessionStore; clock: Clock },
  sessionId: string,
  news: (record: SessionRecord) => { record: SessionRecord; news: News[] } | null,
): Stepped {
  const seen: { record: SessionRecord | null; effects: Effect[] } = { record: null, effects: [] };
  const isStored = store.change(sessionId, (record) => {
    const asked = record === null || !record.loop.active ? null : news(record);
    if (asked === null) return null;
    const { record: next, steps, effects } = stepRecord(asked.record, asked.news, momentOf(clock));
    seen.record = next;
    seen.effects = effects;
    return { begin: null, steps, record: next };
  });
  if (seen.record === null) return { kind: "none" };
  if (!isStored) return { kind: "not-stored", record: seen.record };
  return { kind: "stepped", record: seen.record, effects: seen.effects };
}

function momentOf(clock: Clock): { at: number; upMs: number } {
  return { at: clock.now(), upMs: clock.upMs() };
}
