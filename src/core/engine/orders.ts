import { cancelledReason, interruptedReason } from "../policies/outcome-reasons.ts";
import { alwaysGates } from "../policies/gates.ts";
import type { Effect, PendingEffect } from "../run/effect.ts";
import type { OutcomeName } from "../run/outcome.ts";
import { noFacts, type RunState } from "../run/state.ts";

/** A state and the orders that follow from it. */
export type Step = [RunState, Effect[]];

/** Orders one operation. A pause or an interrupt holds it back instead; a resumed run begins with it. */
export function order(state: RunState, effect: PendingEffect): Step {
  if (state.isCancelAsked) return end(state, "cancelled", cancelledReason);
  const next = { ...state, nextEffectId: effect.id + 1, pending: effect, isHeld: false };
  if (state.isInterruptAsked) return end({ ...next, isHeld: true }, "interrupted", interruptedReason);
  // A pause gives the work tree to people: gates that always run come before it.
  if (state.isPauseAsked && state.dueGates.length === 0) return [{ ...next, isHeld: true }, []];
  const due = effect.type === "begin-turn" && !effect.isRecheck ? alwaysGates(state).map(({ id }) => id) : [];
  if (due.length === 0) return [next, [effect]];
  // Drop the previous turn's results: if this turn's end is never observed, they must not justify an approval.
  return [{ ...next, dueGates: due, facts: noFacts }, [effect]];
}

/** Ends the operation in flight, then the run. Without one, the run ends at once. */
export function cut(state: RunState, name: OutcomeName, reason: string): Step {
  if (state.pending === null || state.isHeld) return end(state, name, reason);
  if (state.ending !== null) return [{ ...state, ending: { outcome: { name, reason } } }, []];
  const cutting: Effect = { type: "cut", id: state.nextEffectId, effectId: state.pending.id };
  const next = { ...state, nextEffectId: state.nextEffectId + 1 };
  if (state.pending.type === "set-timer") {
    const [ended, effects] = end({ ...next, isHeld: true }, name, reason);
    return [ended, [cutting, ...effects]];
  }
  return [{ ...next, ending: { outcome: { name, reason } } }, [cutting]];
}

/** The cut operation answered. It is held, so that a resume repeats it under the same number. */
export function endCut(state: RunState, isHeld = true): Step {
  const { name, reason } = state.ending?.outcome ?? { name: "interrupted" as const, reason: interruptedReason };
  return end({ ...state, isHeld }, name, reason);
}

/** However the run ends, a delivery that failed last is named with it. */
export function end(state: RunState, name: OutcomeName, reason: string, isVerified?: boolean): Step {
  const isNamed = state.deliveryProblem === null || reason.includes(state.deliveryProblem);
  const problem = isNamed ? "" : ` Delivery: ${state.deliveryProblem}`;
  const said = { name, reason: `${reason}${problem}`, ...(isVerified === undefined ? {} : { isVerified }) };
  const cancelled = state.isCancelAsked ? { name: "cancelled" as const, reason: cancelledReason } : said;
  const ended = { ...state, nextEffectId: state.nextEffectId + 1, ending: null, outcome: cancelled };
  return [ended, [{ type: "end-run", id: state.nextEffectId, outcome: cancelled }]];
}

/** An operation's answer is taken into the iteration's facts; nothing is in flight until the next order. */
export function answered(state: RunState, facts: RunState["facts"]): RunState {
  return { ...state, pending: null, ending: null, facts };
}

/** A wait as it is stored: how long, and until when. */
export function timer(at: number, durationMs: number): { durationMs: number; dueAt: number } {
  return { durationMs, dueAt: at + durationMs };
}
