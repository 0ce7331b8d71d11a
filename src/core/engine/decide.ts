import { addSpend, noSpend } from "../agents/spend.ts";
import { isFailedEnd, isFailedTurn } from "../agents/turn-report.ts";
import { assert } from "../assert.ts";
import { withAttempt } from "../policies/attempts.ts";
import { limitWait, turnDelay } from "../policies/back-off.ts";
import { breakerReason, iterationIsUnchanged } from "../policies/breaker.ts";
import { overBudget, passTime, turnLimits } from "../policies/budget.ts";
import { isGivenUp, stopsRefused } from "../policies/equal-reasons.ts";
import { fatalReason } from "../policies/fatal.ts";
import { iterationFeedback } from "../policies/feedback.ts";
import {
  baselineGates,
  checkResults,
  isComplete,
  isVerified,
  nextStage,
  recheck,
  refusalReason,
  waitingReason,
} from "../policies/gates.ts";
import { cancelledReason, completedReason, exhaustedReason, nothingLeftReason } from "../policies/outcome-reasons.ts";
import { settleRestMs, unsettle } from "../policies/settle.ts";
import type { DeliveryOf, Effect } from "../run/effect.ts";
import { dueGate, leaveByGate, leaveByNextGate, runGate, withAnswer } from "./gate-orders.ts";
import type { Observation } from "../run/observation.ts";
import { answered, cut, end, endCut, order, type Step, timer } from "./orders.ts";
import { type GateStop, gateStopNames, isFinal } from "../run/outcome.ts";
import { endFailedStart, waitForLimit } from "./failed-turns.ts";
import { orderAgain, renewed } from "./renewed.ts";
import { hear } from "./requests.ts";
import { noFacts, type RunState, withBegin } from "../run/state.ts";

/**
 * The loop: every rule of it, and nothing else. Pure, deterministic, total. One iteration is
 * turn → gates of every turn → with a claim: gates before delivery → delivery → with a claim: the other gates → final
 * delivery → completed; each part optional. Gates are data: none is known here by its kind.
 *
 * @example
 * ```ts
 * import { decide, newRun, parseSettings, runPolicy } from "ralph";
 *
 * const run = newRun(runPolicy(parseSettings([])));
 * const [state, effects] = decide(run, { type: "run-started", at: Date.now(), upMs: 0 });
 * console.log(state.iteration, effects.map(({ type }) => type)); // 0 [ "begin-turn" ]
 * ```
 */
export function decide(stored: RunState, observation: Observation): Step {
  if (stored.outcome !== null && observation.type !== "run-resumed") return [stored, []];
  if ("effectId" in observation && !isAwaited(stored, observation.effectId)) return [stored, []];
  const state = observation.type === "run-started" ? begun(stored, observation) : stored;
  const step = react(state, observation);
  const due = dueGate(state, observation, step);
  return due === null ? step : leaveByGate(step, due);
}

/** The state of a run that begins, as its first observation tells it: then the journal alone leads to it. */
function begun(state: RunState, { begin }: Extract<Observation, { type: "run-started" }>): RunState {
  return state.nextEffectId === 1 ? { ...state, ...begin } : state;
}

function react(state: RunState, observation: Observation): Step {
  // A request can come before the start, which alone tells since when time counts.
  const isBefore = state.nextEffectId === 1 && observation.type !== "run-started";
  const now = isBefore ? { ...state, lastUpMs: observation.upMs } : passTime(state, observation);
  switch (observation.type) {
    case "run-started":
      if (state.nextEffectId !== 1) return [state, []];
      return beginBaseline(now);
    case "run-resumed":
      return resume(state, observation);
    case "turn-started":
      return [startIteration(now, observation), []];
    case "turn-progressed":
      return watchSpend({ ...now, liveSpend: observation.spend, sessionId: observation.sessionId ?? now.sessionId });
    case "turn-ended":
      return endTurn(now, observation);
    case "gate-finished":
      return endGate(now, observation);
    case "delivery-finished":
      return endDelivery(now, observation);
    case "timer-fired":
      return endWait(now, observation.at);
    case "turn-unsettled":
      return [unsettle(now, observation.because, observation.at), []];
    case "turn-reopened":
      return reopen(now);
    case "asked":
      return hear(now, observation);
  }
}

/** Only the effect in flight may answer; everything else is stale. */
function isAwaited(state: RunState, effectId: number): boolean {
  return state.pending !== null && !state.isHeld && state.pending.id === effectId;
}

/** Runs the next gate before the first turn, or begins that turn. */
function beginBaseline(state: RunState, after: string | null = null): Step {
  const gates = state.isWorkLeft ? baselineGates(state) : [];
  const next = gates[gates.findIndex(({ id }) => id === after) + 1];
  return next === undefined ? beginTurn(state) : runGate(state, next);
}

/** Everything that must hold before a turn; then the order. */
function beginTurn(state: RunState): Step {
  const { policy } = state;
  const iteration = state.iteration + 1;
  const isUsedUp = policy.iterationsMax !== null && iteration > policy.iterationsMax;
  const isSeen = state.facts.report?.isSkipped === true;
  if (!state.isWorkLeft && isSeen) return end(state, "stopped", nothingLeftReason(state));
  const isRecheck = !state.isWorkLeft || (isUsedUp && policy.claimBy === "done-file" && !isSeen);
  if (isUsedUp && !isRecheck) return end(state, "exhausted", exhaustedReason(state));
  const budget = overBudget(state);
  if (budget !== null) return end(state, "stopped", budget);
  return isRecheck ? look(state) : orderTurn(state, { iteration, isRecheck });
}

/** Looks at the turn in progress once more, without a prompt. */
function look(state: RunState): Step {
  return orderTurn(state, { iteration: state.iteration, isRecheck: true });
}

function orderTurn(state: RunState, turn: { iteration: number; isRecheck: boolean }): Step {
  const { policy } = state;
  return order(state, {
    type: "begin-turn",
    id: state.nextEffectId,
    ...turn,
    iterationsMax: policy.iterationsMax,
    feedback: state.feedback,
    refusal: state.refusal,
    attempts: state.attempts,
    assignment: state.assignment,
    sessionId: policy.context === "continue" ? state.sessionId : null,
    limits: turnLimits(state),
  });
}

/** A wait is over: the next turn, or another look at one whose end was not yet believed. */
function endWait(state: RunState, at: number): Step {
  assert(state.pending?.type === "set-timer", "only a wait can be over");
  const waited = { ...state, pending: null };
  const restMs = settleRestMs(state, at);
  if (restMs > 0) return waitForHost(waited, at, restMs);
  return state.pending.reason === "recovery" ? look(waited) : beginTurn(waited);
}

function waitForHost(state: RunState, at: number, restMs: number): Step {
  return order(state, { type: "set-timer", id: state.nextEffectId, reason: "recovery", ...timer(at, restMs) });
}

/** Words during a wait: the wait is dropped with its reason, and the session's next end counts for the same iteration. */
function reopen(state: RunState): Step {
  if (state.policy.settling === null || state.pending?.type !== "set-timer" || state.isHeld) return [state, []];
  const dropped: Effect = { type: "cut", id: state.nextEffectId, effectId: state.pending.id };
  const [next, effects] = look({
    ...state,
    nextEffectId: state.nextEffectId + 1,
    pending: null,
    unsettled: null,
  });
  return [next, [dropped, ...effects]];
}

/** The iteration counts from here on: its agent lives. */
function startIteration(state: RunState, observation: Extract<Observation, { type: "turn-started" }>): RunState {
  assert(state.pending?.type === "begin-turn", "only a turn can start");
  const { pid, startTime, ownNamespace } = observation;
  return {
    ...state,
    iteration: state.pending.iteration,
    facts: noFacts,
    liveSpend: noSpend,
    startFailuresInRow: 0,
    turnProcess: { pid, startTime, ...(ownNamespace === undefined ? {} : { ownNamespace }) },
  };
}

/** A turn that spends more than the run may is cut; what it did stays. */
function watchSpend(state: RunState): Step {
  const reason = overBudget(state);
  return reason === null || state.ending !== null ? [state, []] : cut(state, "stopped", reason);
}

/** Judges a turn, once. */
function endTurn(state: RunState, observation: Extract<Observation, { type: "turn-ended" }>): Step {
  const { report, at } = observation;
  const spent = {
    ...state,
    spend: addSpend(state.spend, report.spend),
    liveSpend: noSpend,
    turnProcess: null,
    sessionId: report.sessionId ?? state.sessionId,
  };
  const broken = breakOff(spent, observation);
  if (broken !== null) return broken;
  const facts = { ...noFacts, report, candidate: observation.candidate ?? null };
  const judged = answered({ ...spent, unsettled: null }, facts);
  const counted: RunState = {
    ...judged,
    limitWaitsInRow: 0,
    emptyInRow: 0,
    // Also after a wish to wait, as in stored journals: the run ends with it, and a resume counts from zero.
    failuresInRow: isFailedEnd(report) ? judged.failuresInRow + 1 : 0,
    isAnythingChanged: judged.isAnythingChanged || report.isTreeChanged === true,
  };
  return advance(counted, at);
}

/** What ends or repeats an iteration before its checks; null when the turn is to be judged by them. */
function breakOff(state: RunState, observation: Extract<Observation, { type: "turn-ended" }>): Step | null {
  const { report, at } = observation;
  if (report.isCut) return endCut(state);
  const outOfTime = report.timedOut === "wall" ? overBudget(state) : null;
  if (outOfTime !== null) return end({ ...state, isHeld: true }, "stopped", outOfTime);
  const restMs = report.startError === null ? settleRestMs(state, at) : 0;
  if (restMs > 0) return waitForHost(answered(state, noFacts), at, restMs);
  const judged = answered({ ...state, unsettled: null }, { ...noFacts, report });
  if (report.startError !== null) return endFailedStart(judged, report.startError.kind, observation);
  const fatal = fatalReason(judged, report);
  if (fatal !== null) return end(judged, "failed", fatal);
  const wait = limitWait(judged, report, at);
  if (wait !== null) return waitForLimit(judged, at, wait);
  const { emptyTurnsMax } = state.policy;
  if (emptyTurnsMax === null || !report.isEmpty || isFailedTurn(report)) return null;
  return repeatEmpty({ ...judged, iteration: state.iteration - 1, emptyInRow: state.emptyInRow + 1 }, emptyTurnsMax);
}

/** An empty answer counts as a temporary failure (CW-4K): the turn is repeated, not counted, and limited in number. */
function repeatEmpty(state: RunState, emptyTurnsMax: number): Step {
  if (state.emptyInRow < emptyTurnsMax) return beginTurn(state);
  return end(state, "stopped", `${state.emptyInRow} turns in a row answered nothing.`);
}

/** The iteration's next stage: a gate, the delivery or the conclusion. */
function advance(state: RunState, at: number): Step {
  const stage = nextStage(state);
  switch (stage.kind) {
    case "gate":
      return runGate(state, stage.gate);
    case "delivery":
      return deliver(state, "iteration");
    case "conclusion":
      return conclude(state, at);
  }
}

function endGate(state: RunState, observation: Extract<Observation, { type: "gate-finished" }>): Step {
  assert(state.pending?.type === "run-gate", "only a gate can finish");
  const { gate } = state.pending;
  const { stop, at } = observation;
  assert(stop === null || gateStopNames.includes(stop.name), "a gate neither completes a run nor cancels it");
  const spent = { ...state, spend: addSpend(state.spend, observation.spend) };
  if (observation.isCut) return endCut(spent);
  if (stop !== null && observation.verdicts.length === 0 && state.afterGates === null) return endUnasked(spent, stop);
  const known = withAnswer(spent, gate, observation);
  if (state.afterGates !== null) return leaveTurn(known, observation);
  if (state.ending !== null) return endCut(known);
  const taken = answered(known, known.facts);
  if (gate.when === "before-first-turn") return beginBaseline(taken, gate.id);
  if (stop !== null) return end({ ...taken, feedback: iterationFeedback(taken) }, stop.name, stop.reason);
  return advance(taken, at);
}

/** A stop without any verdict: the gate could not be asked. It is held, so that a resume asks it without another turn. */
function endUnasked(state: RunState, stop: GateStop): Step {
  return state.ending === null ? end({ ...state, isHeld: true }, stop.name, stop.reason) : endCut(state);
}

/** The due gates have run: what the turn was left for happens now. */
function leaveTurn(state: RunState, observation: Extract<Observation, { type: "gate-finished" }>): Step {
  const { word, stop, at } = observation;
  assert(state.afterGates !== null && state.pending?.type === "run-gate", "a turn is left by its gates");
  const { gate } = state.pending;
  const notes = (word?.notes ?? []).map((text) => ({ kind: "note" as const, text }));
  const told = { ...state, feedback: [...state.feedback, ...notes] };
  const next = told.policy.gates.find(({ id }) => id !== gate.id && told.dueGates.includes(id));
  if (next !== undefined) return leaveByNextGate(told, next);
  const { pending, isHeld } = state.afterGates;
  const restored = { ...told, afterGates: null, pending, isHeld };
  if (state.ending !== null) return endCut(restored, isHeld);
  // What a gate could not put in order stays as the agent left it: nothing continues before it is.
  if (stop !== null && restored.dueGates.includes(gate.id))
    return end({ ...restored, isHeld: pending !== null }, stop.name, stop.reason);
  return pending === null ? beginTurn(restored) : order(restored, renewed(restored, pending, at));
}

function endDelivery(state: RunState, observation: Extract<Observation, { type: "delivery-finished" }>): Step {
  assert(state.pending?.type === "deliver", "only a delivery can finish");
  const spent = { ...state, spend: addSpend(state.spend, observation.spend) };
  if (observation.isCut) return endCut(spent);
  if (state.pending.of === "completion") return endFinalDelivery(spent, observation);
  const delivered = { ...answered(spent, { ...state.facts, isDelivered: true }), deliveryProblem: observation.problem };
  return advance(recheck(delivered, observation) ?? delivered, observation.at);
}

/** The gates were green before it and stay so: a failed pull request is named, beside what went wrong before it. */
function endFinalDelivery(state: RunState, observation: Extract<Observation, { type: "delivery-finished" }>): Step {
  const { problem, at } = observation;
  const again = recheck(answered(state, state.facts), observation);
  if (again !== null) return advance(again, at);
  const problems = [state.deliveryProblem, problem].filter((each) => each !== null);
  const deliveryProblem = problems.length === 0 ? null : problems.join(" ");
  return complete({ ...answered(state, state.facts), deliveryProblem });
}

/** The iteration is over: it completed the run, stopped it, or leads to the next turn. */
function conclude(state: RunState, at: number): Step {
  if (state.policy.claimBy === "stop") return concludeStop(state);
  const waiting = waitingReason(state);
  if (waiting !== null) return end({ ...state, feedback: iterationFeedback(state) }, "waiting", waiting);
  const isLookWanted = state.policy.hasFinalDelivery || state.facts.candidate !== null;
  if (isComplete(state)) return isLookWanted ? deliver(state, "completion") : complete(state);
  const next: RunState = {
    ...state,
    feedback: iterationFeedback(state),
    refusal: refusalReason(state),
    attempts: withAttempt(state),
    unchangedInRow: iterationIsUnchanged(state) ? state.unchangedInRow + 1 : 0,
    lastCheckResults: checkResults(state.facts),
  };
  const breaker = breakerReason(next);
  if (breaker !== null) return end(next, "stopped", breaker);
  const delay = turnDelay(next);
  if (delay === null || state.facts.report?.isSkipped === true) return beginTurn(next);
  const { reason, durationMs } = delay;
  return order(next, { type: "set-timer", id: next.nextEffectId, reason, ...timer(at, durationMs) });
}

/**
 * A stop of a session without a loop. Verified, or refused too often for one reason, it is allowed: the run waits for the
 * session's next stop. Else the agent is sent back with the reasons.
 */
function concludeStop(state: RunState): Step {
  const fresh = { lastCheckResults: "", unchangedInRow: 0 };
  if (isComplete(state)) return look({ ...state, ...fresh, feedback: [], refusal: null });
  const refused = { ...state, feedback: iterationFeedback(state), refusal: refusalReason(state) };
  const count = stopsRefused(state);
  const isAllowed = isGivenUp({ reason: "", times: count.unchangedInRow }, state.policy.unchangedMax ?? Infinity);
  return isAllowed ? look({ ...refused, ...fresh }) : beginTurn({ ...refused, ...count });
}

/** A final one is ordered before the end, so that a crash loses neither it nor the completion. */
function deliver(state: RunState, of: DeliveryOf): Step {
  const { nextEffectId: id, iteration, facts } = state;
  return order(state, { type: "deliver", id, iteration, of, candidate: facts.candidate });
}

function complete(state: RunState): Step {
  return end({ ...state, feedback: [] }, "completed", completedReason(state), isVerified(state));
}

/** After a crash, an interrupt or a stop: the effect in flight is ordered again under a new id, or the loop continues. */
function resume(state: RunState, observation: Extract<Observation, { type: "run-resumed" }>): Step {
  if (state.outcome !== null && isFinal(state.outcome)) return [state, []];
  const answer = observation.answer === null ? [] : [{ kind: "answer" as const, text: observation.answer }];
  const fresh: RunState = {
    ...withBegin(state, observation.begin),
    policy: { ...state.policy, ...observation.change },
    spend: addSpend(state.spend, observation.lostSpend ?? noSpend),
    liveSpend: noSpend,
    feedback: [...state.feedback, ...answer],
    turnProcess: null,
    failuresInRow: 0,
    startFailuresInRow: 0,
    limitWaitsInRow: 0,
    unchangedInRow: 0,
    emptyInRow: 0,
    lastUpMs: observation.upMs,
    lastRequestSeq: observation.missed?.lastSeq ?? state.lastRequestSeq,
    isCancelAsked: state.isCancelAsked || observation.missed?.isCancelAsked === true,
    isPauseAsked: false,
    isInterruptAsked: false,
    ending: null,
    outcome: null,
  };
  if (fresh.isCancelAsked) return end(fresh, "cancelled", cancelledReason);
  const budget = overBudget(fresh);
  if (budget !== null) return end(fresh, "stopped", budget);
  if (fresh.pending === null) return beginTurn(fresh);
  return orderAgain(fresh, fresh.pending, observation.at);
}
