import { assert } from "../../../core/assert.ts";
import type { Effect } from "../../../core/run/effect.ts";
import type { Moment } from "../../../core/run/observation.ts";
import {
  beginStops,
  hearNativeStop,
  nativeVerdict,
  type NativeVerdict,
  sentBack,
  type StopsStart,
} from "../../../core/session/stops/native-stops.ts";
import type { SessionChange } from "../../../core/session/session-journal.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { stepRecord } from "../../../core/session/step-session.ts";
import { plainAnswer } from "../../../core/run/gate-answer.ts";
import type { Clock } from "../../ports.ts";
import type { SessionChecks } from "../../sessions/session-host.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import { askChecks } from "./ask-checks.ts";

/** What a stop of a session without a loop is judged with. */
export type NativeContext = {
  store: SessionStore;
  clock: Clock;
  checks: SessionChecks;
  start: Omit<StopsStart, "at">;
  signal: AbortSignal;
};

/** A turn, its checks, and the next order. */
const stepsMax = 5;

/**
 * One pass for one stop, each step stored before its order is carried out. Null: the run cannot be stored, or another
 * process moved it meanwhile.
 */
export async function passNativeStop(context: NativeContext): Promise<NativeVerdict | null> {
  let next: Next = hearFirst(context);
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const stored = store(context, next);
    if (stored === null) return null;
    const order = stored.steps.at(-1)?.effects.at(-1);
    if (order?.type === "begin-turn") return decided(context, stored.record, order);
    // Another process moved the run while the checks ran: the answer to its former order changes nothing.
    if (order === undefined) return null;
    assert(order.type === "run-gate", "a stop is judged by its checks");
    const verdicts = await askChecks({ ...context, record: stored.record }, order, context.signal);
    const finished = { type: "gate-finished" as const, effectId: order.id, ...plainAnswer(verdicts) };
    next = (record, moment) => (record === null ? null : { begin: null, ...stepRecord(record, [finished], moment) });
  }
  return null;
}

type Next = (record: SessionRecord | null, moment: Moment) => SessionChange | null;

/** The first judged stop of a session begins its run. */
function hearFirst({ start }: NativeContext): Next {
  return (record, moment) => {
    if (record !== null) return { begin: null, ...hearNativeStop(record, moment) };
    const begun = beginStops({ ...start, at: moment.at });
    const heard = hearNativeStop(begun.record, moment);
    return { begin: begun.begin, steps: [...begun.steps, ...heard.steps], record: heard.record };
  };
}

/** A look lets the session go; any other turn is begun by sending the agent back. */
function decided(
  context: NativeContext,
  record: SessionRecord,
  { isRecheck }: Extract<Effect, { type: "begin-turn" }>,
): NativeVerdict | null {
  const verdict = nativeVerdict(record);
  if (isRecheck) return verdict;
  const begun = store(context, (now, moment) => (now === null ? null : { begin: null, ...sentBack(now, moment) }));
  return begun === null ? null : verdict;
}

function store({ store: sessions, clock, start }: NativeContext, next: Next): SessionChange | null {
  const seen: { change: SessionChange | null } = { change: null };
  const step = (record: SessionRecord | null): SessionChange | null => {
    seen.change = next(record, { at: clock.now(), upMs: clock.upMs() });
    return seen.change;
  };
  return sessions.change(start.sessionId, step, "stops") ? seen.change : null;
}
