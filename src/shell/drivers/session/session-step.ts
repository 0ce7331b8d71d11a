import { emptyReport } from "../../../core/agents/turn-report.ts";
import { decide } from "../../../core/engine/decide.ts";
import type { Effect, PendingEffect } from "../../../core/run/effect.ts";
import type { Moment, Observation } from "../../../core/run/observation.ts";
import type { Step } from "../../../core/engine/orders.ts";
import { type SessionRecord, withRun } from "../../../core/session/session-record.ts";
import { cutAnswer as cutGate } from "../../gates/gate-answer.ts";
import type { Clock } from "../../ports.ts";
import type { SessionStore } from "../../sessions/session-store.ts";

type Without<Each, Keys extends PropertyKey> = Each extends unknown ? Omit<Each, Keys> : never;

/** News for the engine without its moment. */
export type SessionNews = Without<Observation, keyof Moment>;

/** What a step did: the record as it is now, or was when its run ended, and the orders to carry out. */
export type Stepped =
  | { kind: "none" }
  | { kind: "not-stored"; record: SessionRecord }
  | { kind: "stepped"; record: SessionRecord; effects: Effect[] };

/** Nothing was to be done. */
export const nothingStepped: Stepped = { kind: "none" };

/**
 * One transaction: read, decide, store. A run that ended is removed with it. `news` may refuse by giving null: the
 * record is no longer the one it thought of.
 */
export function stepSession(
  { store, clock }: { store: SessionStore; clock: Clock },
  sessionId: string,
  news: (record: SessionRecord) => { record: SessionRecord; news: SessionNews[] } | null,
): Stepped {
  const seen: { record: SessionRecord | null; effects: Effect[] } = { record: null, effects: [] };
  const isStored = store.change(sessionId, (record) => {
    const asked = record === null || !record.loop.active ? null : news(record);
    if (record === null || asked === null) return record;
    const moment = { at: clock.now(), upMs: clock.upMs() };
    const [run, effects] = decideAll([record.run, []], asked.news, moment);
    seen.record = withRun(asked.record, run, moment.at);
    seen.effects = effects;
    return run.outcome === null ? seen.record : null;
  });
  if (seen.record === null) return { kind: "none" };
  if (!isStored) return { kind: "not-stored", record: seen.record };
  return { kind: "stepped", record: seen.record, effects: seen.effects };
}

/** A turn of a host, checks and waits cannot be held open: what is cut answers at once. */
function decideAll(begun: Step, news: readonly SessionNews[], moment: Moment): Step {
  let [run, effects] = begun;
  const queue = [...news];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const pending = run.pending;
    const [after, orders] = decide(run, { ...next, ...moment });
    run = after;
    effects = [...effects, ...orders];
    if (pending !== null && orders.some((order) => order.type === "cut" && order.effectId === pending.id))
      queue.unshift(...cutAnswer(pending));
  }
  return [run, effects];
}

function cutAnswer(pending: PendingEffect): SessionNews[] {
  const effectId = pending.id;
  if (pending.type === "begin-turn") return [{ type: "turn-ended", effectId, report: { ...emptyReport, isCut: true } }];
  if (pending.type === "run-gate") return [{ type: "gate-finished", effectId, ...cutGate() }];
  return [];
}
