import { addSpend, noSpend } from "../agents/spend.ts";
import { isFailedTurn } from "../agents/turn-report.ts";
import { assert } from "../assert.ts";
import { backOffMs, limitWait, turnDelay } from "../policies/back-off.ts";
import { breakerReason, iterationIsUnchanged } from "../policies/breaker.ts";
import { overBudget, turnLimits, wallWithinBudget } from "../policies/budget.ts";
import { fatalReason } from "../policies/fatal.ts";
import { iterationFeedback } from "../policies/feedback.ts";
import {
  checkResults,
  isComplete,
  needsChildren,
  needsCriteria,
  needsDelivery,
  waitingReason,
} from "../policies/gates.ts";
import { cancelledReason, completedReason, exhaustedReason, interruptedReason } from "../policies/outcome-reasons.ts";
import { settleRestMs, unsettle } from "../policies/settle.ts";
import type { ChecksOf, Effect, PendingEffect } from "./effect.ts";
import type { Observation } from "./observation.ts";
import { answered, cut, end, endCut, order, type Step, timer } from "./orders.ts";
import { isFinal } from "./outcome.ts";
import { noFacts, type RunState } from "./state.ts";

/**
 * The loop: every rule of it, and nothing else. Pure, deterministic, total. One iteration is
 * turn → task list → guardrails → delivery → with a claim: criteria → children → final delivery → completed; each part
 * optional.
 */
export function decide(state: RunState, observation: Observation): Step {
  if (state.outcome !== null && observation.type !== "run-resumed") return [state, []];
  if ("effectId" in observation && !isAwaited(state, observation.effectId)) return [state, []];
  const now = passTime(state, observation);
  switch (observation.type) {
    case "run-started":
      return state.nextEffectId === 1 ? beginTurn(now) : [state, []];
    case "run-resumed":
      return resume(state, observation);
    case "turn-started":
      return [startIteration(now, observation), []];
    case "turn-progressed":
      return watchSpend({ ...now, liveSpend: observation.spend, sessionId: observation.sessionId ?? now.sessionId });
    case "turn-ended":
      return endTurn(now, observation);
    case "tasks-repaired":
      return observation.isCut
        ? endCut(now)
        : afterTasks(answered(now, { ...now.facts, tasks: tasksOf(observation) }), observation.at);
    case "checks-finished":
      return endChecks(now, observation);
    case "delivery-finished":
      return endDelivery(now, observation);
    case "timer-fired":
      return endWait(now, observation.at);
    case "turn-unsettled":
      return [unsettle(now, observation.because, observation.at), []];
    case "turn-reopened":
      return reopen(now);
    case "asked":
      return hear({ ...now, lastRequestSeq: observation.seq ?? now.lastRequestSeq }, observation);
  }
}

/** Only the effect in flight may answer; everything else is stale. */
function isAwaited(state: RunState, effectId: number): boolean {
  return state.pending !== null && !state.isHeld && state.pending.id === effectId;
}

/** Time used is counted on the driver's monotonic clock, so a jump of the wall clock neither lengthens nor ends a run. */
function passTime(state: RunState, moment: { upMs: number }): RunState {
  const passedMs = Math.max(0, moment.upMs - state.lastUpMs);
  return { ...state, usedMs: state.usedMs + passedMs, lastUpMs: Math.max(state.lastUpMs, moment.upMs) };
}

/** Everything that must hold before a turn; then the order. */
function beginTurn(state: RunState): Step {
  const { policy } = state;
  const iteration = state.iteration + 1;
  const isUsedUp = policy.iterationsMax !== null && iteration > policy.iterationsMax;
  const isLookOnly = isUsedUp && policy.hasMarkers && state.facts.report?.isSkipped !== true;
  if (isUsedUp && !isLookOnly) return end(state, "exhausted", exhaustedReason(state));
  const budget = overBudget(state);
  if (budget !== null) return end(state, "stopped", budget);
  return isLookOnly ? look(state) : orderTurn(state, { iteration, isLookOnly });
}

/** Looks at the turn in progress once more, without a prompt. */
function look(state: RunState): Step {
  return orderTurn(state, { iteration: state.iteration, isLookOnly: true });
}

function orderTurn(state: RunState, turn: { iteration: number; isLookOnly: boolean }): Step {
  const { policy } = state;
  return order(state, {
    type: "begin-turn",
    id: state.nextEffectId,
    ...turn,
    iterationsMax: policy.iterationsMax,
    feedback: state.feedback,
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

/** Words during a wait: the wait is dropped, and the session's next end counts for the same iteration. */
function reopen(state: RunState): Step {
  if (state.policy.settling === null || state.pending?.type !== "set-timer" || state.isHeld) return [state, []];
  const dropped: Effect = { type: "cut", id: state.nextEffectId, effectId: state.pending.id };
  const [next, effects] = look({ ...state, nextEffectId: state.nextEffectId + 1, pending: null });
  return [next, [dropped, ...effects]];
}

function tasksOf(answer: { isComplete: boolean; violations: string[] }): RunState["facts"]["tasks"] {
  return { isComplete: answer.isComplete, violations: answer.violations };
}

/** The iteration counts from here on: its agent lives. */
function startIteration(state: RunState, observation: Extract<Observation, { type: "turn-started" }>): RunState {
  assert(state.pending?.type === "begin-turn", "only a turn can start");
  return {
    ...state,
    iteration: state.pending.iteration,
    facts: noFacts,
    liveSpend: noSpend,
    startFailuresInRow: 0,
    turnProcess: { pid: observation.pid, startTime: observation.startTime },
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
  if (report.isCut) return endCut(spent);
  const outOfTime = report.timedOut === "wall" ? overBudget(spent) : null;
  if (outOfTime !== null) return end({ ...spent, isHeld: true }, "stopped", outOfTime);
  const restMs = report.startError === null ? settleRestMs(spent, at) : 0;
  if (restMs > 0) return waitForHost(answered(spent, noFacts), at, restMs);
  const judged = answered({ ...spent, unsettled: null }, { ...noFacts, report });
  if (report.startError !== null) return endFailedStart(judged, report.startError.kind, observation);
  const fatal = fatalReason(judged, report);
  if (fatal !== null) return end(judged, "failed", fatal);
  const wait = limitWait(judged, report, at);
  if (wait !== null) return waitForLimit(judged, at, wait);
  const counted: RunState = {
    ...judged,
    limitWaitsInRow: 0,
    failuresInRow: isFailedTurn(report) ? judged.failuresInRow + 1 : 0,
    isAnythingChanged: judged.isAnythingChanged || report.isTreeChanged === true,
  };
  if (!state.policy.hasTasks) return afterTasks(counted, at);
  return order(counted, { type: "repair-tasks", id: counted.nextEffectId, iteration: counted.iteration });
}

/** A program that is not there will not be there next time; a lack of resources may pass. */
function endFailedStart(
  state: RunState,
  kind: string,
  observation: Extract<Observation, { type: "turn-ended" }>,
): Step {
  const message = observation.report.startError?.message ?? "";
  const failures = state.startFailuresInRow + 1;
  if (kind !== "resources" || failures >= startFailuresMax) return end(state, "failed", message);
  return order(
    { ...state, startFailuresInRow: failures },
    {
      type: "set-timer",
      id: state.nextEffectId,
      reason: "back-off",
      ...timer(observation.at, backOffMs(state, failures)),
    },
  );
}

/** Starts that fail for want of processes or memory; after five the machine is not going to recover by waiting. */
const startFailuresMax = 5;

/** A usage limit with a known end is waited for; the turn it cost does not count. */
function waitForLimit(state: RunState, at: number, wait: { durationMs: number } | { refusal: string }): Step {
  const uncounted = { ...state, iteration: state.iteration - 1, limitWaitsInRow: state.limitWaitsInRow + 1 };
  if ("refusal" in wait) return end(uncounted, "stopped", wait.refusal);
  return order(uncounted, {
    type: "set-timer",
    id: state.nextEffectId,
    reason: "usage-limit",
    ...timer(at, wait.durationMs),
  });
}

function afterTasks(state: RunState, at: number): Step {
  return state.policy.guardrailCount > 0 ? runChecks(state, "guardrails") : afterGuardrails(state, at);
}

function endChecks(state: RunState, observation: Extract<Observation, { type: "checks-finished" }>): Step {
  assert(state.pending?.type === "run-checks", "only checks can finish");
  const { verdicts, at } = observation;
  const spent = { ...state, spend: addSpend(state.spend, observation.spend) };
  if (observation.isCut) return endCut(spent);
  const failed = verdicts.find((verdict) => !verdict.isPassed);
  const recent = { iteration: state.iteration, isPassed: failed === undefined, reason: failed?.reason ?? "all passed" };
  const known = { ...spent, recentVerdicts: [...state.recentVerdicts, recent].slice(-3) };
  switch (state.pending.of) {
    case "guardrails":
      return afterGuardrails(answered(known, { ...state.facts, guardrails: verdicts }), at);
    case "criteria":
      return afterCriteria(answered(known, { ...state.facts, criteria: verdicts }), at);
    case "children":
      return conclude(answered(known, { ...state.facts, children: verdicts }), at);
  }
}

function afterGuardrails(state: RunState, at: number): Step {
  if (!needsDelivery(state)) return afterDelivery(state, at);
  return order(state, { type: "deliver", id: state.nextEffectId, iteration: state.iteration, of: "iteration" });
}

function endDelivery(state: RunState, observation: Extract<Observation, { type: "delivery-finished" }>): Step {
  assert(state.pending?.type === "deliver", "only a delivery can finish");
  const spent = { ...state, spend: addSpend(state.spend, observation.spend) };
  if (observation.isCut) return endCut(spent);
  if (state.pending.of === "completion") return endFinalDelivery(spent, observation.problem);
  const delivered = answered(spent, { ...state.facts, isDelivered: observation.commit !== null });
  return afterDelivery({ ...delivered, deliveryProblem: observation.problem }, observation.at);
}

/** The gates were green before it and stay so: a failed pull request is named, beside what went wrong before it. */
function endFinalDelivery(state: RunState, problem: string | null): Step {
  const problems = [state.deliveryProblem, problem].filter((each) => each !== null);
  const deliveryProblem = problems.length === 0 ? null : problems.join(" ");
  return complete({ ...answered(state, state.facts), deliveryProblem });
}

function afterDelivery(state: RunState, at: number): Step {
  return needsCriteria(state) ? runChecks(state, "criteria") : afterCriteria(state, at);
}

function afterCriteria(state: RunState, at: number): Step {
  return needsChildren(state) ? runChecks(state, "children") : conclude(state, at);
}

/** The iteration is over: it completed the run, stopped it, or leads to the next turn. */
function conclude(state: RunState, at: number): Step {
  const waiting = waitingReason(state);
  if (waiting !== null) return end({ ...state, feedback: iterationFeedback(state) }, "waiting", waiting);
  if (isComplete(state)) return state.policy.hasFinalDelivery ? deliverFinally(state) : complete(state);
  const next: RunState = {
    ...state,
    feedback: iterationFeedback(state),
    unchangedInRow: iterationIsUnchanged(state) ? state.unchangedInRow + 1 : 0,
    lastCheckResults: checkResults(state.facts),
  };
  const breaker = breakerReason(next);
  if (breaker !== null) return end(next, "stopped", breaker);
  const isUsedUp = next.policy.iterationsMax !== null && next.iteration >= next.policy.iterationsMax;
  const delay = isUsedUp && !next.policy.hasMarkers ? null : turnDelay(next);
  if (delay === null || state.facts.report?.isSkipped === true) return beginTurn(next);
  const { reason, durationMs } = delay;
  return order(next, { type: "set-timer", id: next.nextEffectId, reason, ...timer(at, durationMs) });
}

/** Ordered before the end, so that a crash loses neither it nor the completion. */
function deliverFinally(state: RunState): Step {
  return order(state, { type: "deliver", id: state.nextEffectId, iteration: state.iteration, of: "completion" });
}

function complete(state: RunState): Step {
  return end({ ...state, feedback: [] }, "completed", completedReason(state));
}

/** Requests of people and signals. Cancel is final: nothing after it can undo it. */
function hear(state: RunState, observation: Extract<Observation, { type: "asked" }>): Step {
  switch (observation.request) {
    case "cancel":
      return cut({ ...state, isCancelAsked: true }, "cancelled", cancelledReason);
    case "pause":
      return [{ ...state, isPauseAsked: true }, []];
    case "go-on":
      return goOn({ ...state, isPauseAsked: false }, observation.at);
    case "interrupt": {
      const asked = { ...state, isInterruptAsked: true };
      return isOperation(state) ? [asked, []] : cut(asked, "interrupted", interruptedReason);
    }
    case "interrupt-now":
      return cut({ ...state, isInterruptAsked: true }, "interrupted", interruptedReason);
  }
}

/** A turn, checks or a delivery at work: a first signal lets it finish. A wait is not work. */
function isOperation(state: RunState): boolean {
  return state.pending !== null && !state.isHeld && state.pending.type !== "set-timer";
}

function goOn(state: RunState, at: number): Step {
  if (!state.isHeld || state.pending === null) return [state, []];
  return order(state, renewed(state, state.pending, at));
}

/** After a crash, an interrupt or a stop: the effect in flight is ordered again under a new id, or the loop goes on. */
function resume(state: RunState, observation: Extract<Observation, { type: "run-resumed" }>): Step {
  if (state.outcome !== null && isFinal(state.outcome)) return [state, []];
  const answer = observation.answer === null ? [] : [{ kind: "answer" as const, text: observation.answer }];
  const fresh: RunState = {
    ...state,
    policy: { ...state.policy, ...observation.change },
    spend: addSpend(state.spend, observation.lostSpend ?? noSpend),
    liveSpend: noSpend,
    feedback: [...state.feedback, ...answer],
    turnProcess: null,
    failuresInRow: 0,
    startFailuresInRow: 0,
    limitWaitsInRow: 0,
    unchangedInRow: 0,
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
  return order(fresh, renewed(fresh, fresh.pending, observation.at));
}

/** The same order again, with a new id, today's limits and the rest of a wait. A turn keeps its number. */
function renewed(state: RunState, pending: PendingEffect, at: number): PendingEffect {
  const id = state.nextEffectId;
  switch (pending.type) {
    case "begin-turn":
      return {
        ...pending,
        id,
        feedback: state.feedback,
        iterationsMax: state.policy.iterationsMax,
        limits: turnLimits(state),
      };
    case "set-timer":
      return { ...pending, id, ...timer(at, Math.min(pending.durationMs, Math.max(0, pending.dueAt - at))) };
    case "run-checks":
    case "deliver":
    case "repair-tasks":
      return { ...pending, id };
  }
}

function runChecks(state: RunState, of: ChecksOf): Step {
  const { policy } = state;
  const wallMs = {
    guardrails: policy.guardrailWallMs,
    criteria: policy.criterionWallMs,
    children: policy.childrenWallMs,
  }[of];
  return order(state, {
    type: "run-checks",
    id: state.nextEffectId,
    iteration: state.iteration,
    of,
    wallMs: wallWithinBudget(state, wallMs),
  });
}
