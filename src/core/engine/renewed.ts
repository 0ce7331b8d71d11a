import { turnLimits } from "../policies/budget.ts";
import { alwaysGates, nextStage } from "../policies/gates.ts";
import type { PendingEffect } from "../run/effect.ts";
import { runGate } from "./gate-orders.ts";
import { order, type Step, timer } from "./orders.ts";
import type { RunState } from "../run/state.ts";

/**
 * Orders again what was in flight or held. The gates of an iteration start over: nobody watched the work meanwhile, and
 * what an earlier one found may not hold any more.
 */
export function orderAgain(state: RunState, pending: PendingEffect, at: number): Step {
  if (pending.type !== "run-gate" || pending.gate.when === "before-first-turn" || state.afterGates !== null)
    return order(state, renewed(state, pending, at));
  const fresh = { ...state, facts: { ...state.facts, verdicts: verdictsKept(state) } };
  const stage = nextStage(fresh);
  return stage.kind === "gate" ? runGate(fresh, stage.gate) : order(fresh, renewed(fresh, pending, at));
}

/** A gate that always runs has put in order what the turn left; asked again, it would find nothing to say of it. */
function verdictsKept(state: RunState): RunState["facts"]["verdicts"] {
  const kept = new Set(alwaysGates(state).map(({ id }) => id));
  return Object.fromEntries(Object.entries(state.facts.verdicts).filter(([id]) => kept.has(id)));
}

/** The same order again, with a new id, today's limits and the rest of a wait. A turn keeps its number. */
export function renewed(state: RunState, pending: PendingEffect, at: number): PendingEffect {
  const id = state.nextEffectId;
  switch (pending.type) {
    case "begin-turn":
      return {
        ...pending,
        id,
        feedback: state.feedback,
        refusal: state.refusal,
        assignment: state.assignment,
        // People may have left a list on which nothing is to do.
        isRecheck: pending.isRecheck || !state.isWorkLeft,
        iterationsMax: state.policy.iterationsMax,
        limits: turnLimits(state),
      };
    case "set-timer":
      return { ...pending, id, ...timer(at, Math.min(pending.durationMs, Math.max(0, pending.dueAt - at))) };
    case "run-gate":
      return { ...pending, id, slot: state.slots[pending.gate.id] ?? null };
    case "deliver":
      return { ...pending, id };
  }
}
