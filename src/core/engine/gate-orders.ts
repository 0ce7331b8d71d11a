import type { Gate } from "../contract/gate.ts";
import { wallWithinBudget } from "../policies/budget.ts";
import { isAnyClaim, isGreenBefore, isUnprovenBefore } from "../policies/gates.ts";
import type { Effect } from "../run/effect.ts";
import type { Observation } from "../run/observation.ts";
import { order, type Step } from "./orders.ts";
import type { RunState } from "../run/state.ts";

type GateFinished = Extract<Observation, { type: "gate-finished" }>;

/** Orders one gate. */
export function runGate(state: RunState, gate: Gate): Step {
  return order(state, gateOrder(state, gate));
}

/** What the gate found becomes part of the iteration and of the run's memory. */
export function withAnswer(state: RunState, gate: Gate, answer: GateFinished): RunState {
  const { verdicts, slot, word, stop } = answer;
  if (gate.when === "before-first-turn") {
    const found = verdicts.map(({ name, isPassed }) => ({ name, isPassed }));
    return { ...state, baseline: [...(state.baseline ?? []), ...found] };
  }
  const isStillDue = slot === null && stop?.name === "failed";
  // Elsewhere nothing bounds the looks that follow when no work is left.
  const steering = state.policy.claimBy === "gate" ? word : null;
  return {
    ...state,
    facts: {
      ...state.facts,
      verdicts: { ...state.facts.verdicts, [gate.id]: verdicts },
      words: word === null ? state.facts.words : { ...state.facts.words, [gate.id]: word },
    },
    slots: slot === null ? state.slots : { ...state.slots, [gate.id]: slot },
    assignment: steering === null ? state.assignment : steering.assignment,
    isWorkLeft: steering === null ? state.isWorkLeft : steering.isWorkLeft,
    dueGates: isStillDue ? state.dueGates : state.dueGates.filter((id) => id !== gate.id),
    recentVerdicts: withRecent(state, answer),
  };
}

/** The gate that must run before this step leaves the turn, or null: the step leaves none, or nothing is due. */
export function dueGate(state: RunState, observation: Observation, [next, effects]: Step): Gate | null {
  if (!effects.some(({ type }) => type === "begin-turn" || type === "set-timer" || type === "end-run")) return null;
  const isAnswer = observation.type === "gate-finished" && state.pending?.type === "run-gate";
  const asked = isAnswer && state.pending?.type === "run-gate" ? state.pending.gate.id : null;
  const due = state.dueGates.filter((id) => id !== asked && next.dueGates.includes(id));
  return next.policy.gates.find(({ id }) => due.includes(id)) ?? null;
}

/** Runs one more due gate; what waits for it still waits. */
export function leaveByNextGate(state: RunState, gate: Gate): Step {
  const running = gateOrder(state, gate);
  return [{ ...state, nextEffectId: state.nextEffectId + 1, pending: running, isHeld: false }, [running]];
}

/** Runs a due gate before what was decided happens: no way out of a turn skips it, not even a cancel. */
export function leaveByGate([state]: Step, gate: Gate): Step {
  const { pending, isHeld, outcome, nextEffectId } = state;
  const running = gateOrder(state, gate);
  const ending = outcome === null ? null : { outcome };
  const leaving = { ...state, nextEffectId: nextEffectId + 1, pending: running, isHeld: false, outcome: null };
  return [{ ...leaving, ending, afterGates: { pending, isHeld } }, [running]];
}

function gateOrder(state: RunState, gate: Gate): Extract<Effect, { type: "run-gate" }> {
  return {
    type: "run-gate",
    id: state.nextEffectId,
    gate,
    iteration: state.iteration,
    candidate: state.facts.candidate,
    hasClaim: isAnyClaim(state),
    isGreenSoFar: isGreenBefore(state, gate),
    ...(isUnprovenBefore(state, gate) ? { isUnproven: true as const } : {}),
    slot: state.slots[gate.id] ?? null,
    wallMs: wallWithinBudget(state, gate.limits.wallMs),
  };
}

/** One entry per iteration: the first red verdict stays, whatever was green after it. */
function withRecent({ recentVerdicts, iteration }: RunState, { verdicts }: GateFinished): RunState["recentVerdicts"] {
  const last = recentVerdicts.at(-1);
  const before = last?.iteration === iteration ? recentVerdicts.slice(0, -1) : recentVerdicts;
  const red = verdicts.find(({ isPassed }) => !isPassed);
  const known = last?.iteration === iteration && !last.isPassed ? last : null;
  const now = known ?? { iteration, isPassed: red === undefined, reason: red?.reason ?? "all passed" };
  return [...before, now].slice(-3);
}
