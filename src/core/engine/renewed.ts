import { turnLimits } from "../policies/budget.ts";
import type { PendingEffect } from "../run/effect.ts";
import { timer } from "./orders.ts";
import type { RunState } from "../run/state.ts";

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
