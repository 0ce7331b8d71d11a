import { noSpend } from "../agents/spend.ts";
import { emptyReport } from "../agents/turn-report.ts";
import { decide } from "../engine/decide.ts";
import type { Effect, PendingEffect } from "../run/effect.ts";
import type { Moment, Observation } from "../run/observation.ts";
import { type SessionRecord, withRun } from "./session-record.ts";

type Without<Each, Keys extends PropertyKey> = Each extends unknown ? Omit<Each, Keys> : never;

/** News for the engine without its moment. */
export type SessionNews = Without<Observation, keyof Moment>;

/** What the engine heard, and what it ordered. */
export type SessionStep = { observation: Observation; effects: Effect[] };

/** A record after some news, the steps that led to it, and all of their orders. */
export type SteppedRecord = { record: SessionRecord; steps: SessionStep[]; effects: Effect[] };

/**
 * Hears news, one after the other, in a session. A turn of a host, checks and waits cannot be held open: what is cut
 * answers at once.
 */
export function stepRecord(record: SessionRecord, news: readonly SessionNews[], moment: Moment): SteppedRecord {
  const queue = [...news];
  const steps: SessionStep[] = [];
  let current = record;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { pending } = current.run;
    const observation = { ...next, ...moment };
    const [run, effects] = decide(current.run, observation);
    current = withRun(current, run, moment.at);
    steps.push({ observation, effects });
    if (pending !== null && effects.some((order) => order.type === "cut" && order.effectId === pending.id))
      queue.unshift(...cutAnswer(pending));
  }
  return { record: current, steps, effects: steps.flatMap(({ effects }) => effects) };
}

function cutAnswer(pending: PendingEffect): SessionNews[] {
  const effectId = pending.id;
  if (pending.type === "begin-turn") return [{ type: "turn-ended", effectId, report: { ...emptyReport, isCut: true } }];
  if (pending.type !== "run-gate") return [];
  const nothing = { verdicts: [], spend: noSpend, stop: null, slot: null, word: null };
  return [{ type: "gate-finished", effectId, ...nothing, isCut: true }];
}
