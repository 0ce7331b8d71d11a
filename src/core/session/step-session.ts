import { decide } from "../engine/decide.ts";
import { cutAnswer } from "../run/cut-answer.ts";
import type { Effect } from "../run/effect.ts";
import type { News } from "../run/news.ts";
import type { Moment, Observation } from "../run/observation.ts";
import { type SessionRecord, withRun } from "./session-record.ts";

/** What the engine heard, and what it ordered. */
export type SessionStep = { observation: Observation; effects: Effect[] };

/** A record after some news, the steps that led to it, and all of their orders. */
export type SteppedRecord = { record: SessionRecord; steps: SessionStep[]; effects: Effect[] };

/**
 * Hears news, one after the other, in a session. A turn of a host, checks and waits cannot be held open: what is cut
 * answers at once.
 */
export function stepRecord(record: SessionRecord, news: readonly News[], moment: Moment): SteppedRecord {
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
      queue.unshift(...[cutAnswer(pending, current.run)].filter((answer) => answer !== null));
  }
  return { record: current, steps, effects: steps.flatMap(({ effects }) => effects) };
}
