import { assert } from "../../../core/assert.ts";
import type { Effect } from "../../../core/run/effect.ts";
import { hearStop } from "../../../core/session/stops/hear-stop.ts";
import { isChangeLikely, needsChange, turnGiven, waitOver } from "../../../core/session/host-news.ts";
import type { SessionMessage } from "../../../core/session/session-message.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { overtakenEnd, type StopEnd } from "../../../core/session/stops/stop-end.ts";
import { stepRecord, type SteppedRecord } from "../../../core/session/step-session.ts";
import { plainAnswer } from "../../../core/run/gate-answer.ts";
import type { Clock } from "../../ports.ts";
import type { SessionChecks } from "../../sessions/session-host.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import { askChecks } from "./ask-checks.ts";

/** What a stop is judged with. */
export type StopContext = {
  sessionId: string;
  store: SessionStore;
  clock: Clock;
  checks: SessionChecks | null;
  messages: readonly SessionMessage[];
  /** Work the agent left running that will wake it. */
  hasWork: boolean;
  /** Whether anything has changed since the loop began; asked only for a claim that needs it. */
  hasChanged(): boolean | null;
};

/** More steps than any stop has: a turn, its checks, a wait and the next order. */
const stepsMax = 20;

/** One pass for one stop: each observation is a step of the engine, stored before its orders are carried out. */
export async function passStop(context: StopContext, read: SessionRecord): Promise<StopEnd> {
  const { messages, hasWork } = context;
  const isTreeChanged = needsChange(read, messages) ? isChangeLikely(context.hasChanged()) : null;
  const stop = { messages, hasWork, isTreeChanged };
  let next: Next = (record, moment) => hearStop(record, stop, moment);
  let record = read;
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const stepped = store(context, record, next);
    if (stepped === "not-stored") return { kind: stepped, loop: record.loop };
    if (stepped === "moved") return overtakenEnd(record.loop, context.store.read(context.sessionId), hasWork);
    record = stepped.record;
    const order = stepped.effects.at(-1);
    if (order?.type === "end-run") return { kind: "ended", loop: record.loop, outcome: order.outcome };
    if (order === undefined) return overtakenEnd(record.loop, record, hasWork);
    if (order.type === "set-timer" && hasWork) return { kind: "waiting", loop: record.loop };
    next = await carryOut({ ...context, record }, order, next);
  }
  assert(false, "a stop comes to an end");
}

type Next = (record: SessionRecord, moment: { at: number; upMs: number }) => SteppedRecord;

/** Carries out one order and says what the engine hears next. */
async function carryOut(context: StopContext & { record: SessionRecord }, order: Effect, again: Next): Promise<Next> {
  const { clock, checks, messages, record: asked } = context;
  switch (order.type) {
    case "begin-turn":
      if (order.isRecheck) return again;
      return (record, moment) => {
        const given = { effect: order, before: messages, now: messages, wasGiven: false };
        const { news, record: seen } = turnGiven(record, given);
        return stepRecord(seen, news, moment);
      };
    case "run-gate": {
      const { signal } = new AbortController();
      const verdicts = await askChecks({ checks, clock, record: asked }, order, signal);
      const finished = { type: "gate-finished" as const, effectId: order.id, ...plainAnswer(verdicts) };
      return (record, moment) => stepRecord(record, [finished], moment);
    }
    case "set-timer":
      await clock.wait(order.durationMs, new AbortController().signal);
      return (record, moment) => stepRecord(record, [waitOver(record, messages, order.id)], moment);
    case "cut":
    case "end-run":
    case "deliver":
      assert(false, `a stop does not end with ${order.type}`);
  }
}

/** Stores a step of the loop that was read, as long as nobody else moved it. */
function store(context: StopContext, read: SessionRecord, next: Next): SteppedRecord | "not-stored" | "moved" {
  const { clock } = context;
  const seen: { stepped: SteppedRecord | null } = { stepped: null };
  const isStored = context.store.change(read.loop.sessionId, (now) => {
    const isSame = now?.loop.startedAt === read.loop.startedAt && now.run.nextEffectId === read.run.nextEffectId;
    if (now === null || !isSame) return null;
    seen.stepped = next(now, { at: clock.now(), upMs: clock.upMs() });
    return { begin: null, ...seen.stepped };
  });
  if (seen.stepped === null) return isStored ? "moved" : "not-stored";
  return isStored ? seen.stepped : "not-stored";
}
