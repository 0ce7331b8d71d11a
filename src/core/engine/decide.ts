import { addSpend, noSpend } from "../agents/spend.ts";
import { isFailedTurn } from "../agents/turn-report.ts";
import { assert } from "../assert.ts";
import { attemptsKept, failedAttempt } from "../policies/attempts.ts";
import { limitWait, turnDelay } from "../policies/back-off.ts";
import { breakerReason, iterationIsUnchanged } from "../policies/breaker.ts";
import { overBudget, turnLimits, wallWithinBudget } from "../policies/budget.ts";
import { fatalReason } from "../policies/fatal.ts";
import { iterationFeedback, taskFeedback } from "../policies/feedback.ts";
import {
  checkResults,
  isComplete,
  mayApprove,
  needsChildren,
  needsCriteria,
  needsDelivery,
  waitingReason,
} from "../policies/gates.ts";
import { cancelledReason, completedReason, exhaustedReason, nothingLeftReason } from "../policies/outcome-reasons.ts";
import { settleRestMs, unsettle } from "../policies/settle.ts";
import type { ChecksOf, Effect } from "./effect.ts";
import type { Observation } from "./observation.ts";
import { answered, cut, end, endCut, order, repairFirst, type Step, timer } from "./orders.ts";
import { isFinal } from "./outcome.ts";
import { endFailedStart, waitForLimit } from "./failed-turns.ts";
import { renewed } from "./renewed.ts";
import { hear } from "./requests.ts";
import { noFacts, type RunState } from "./state.ts";

/**
 * The loop: every rule of it, and nothing else. Pure, deterministic, total. One iteration is
 * turn → guardrails → task list → delivery → with a claim: criteria → children → final delivery → completed; each part
 * optional. A turn that is broken off leaves a task list in order, too.
 */
export function decide(state: RunState, observation: Observation): Step {
  if (state.outcome !== null && observation.type !== "run-resumed") return [state, []];
  if ("effectId" in observation && !isAwaited(state, observation.effectId)) return [state, []];
  const step = react(state, observation);
  return isListLeft(state, observation, step) ? repairFirst(step) : step;
}

function react(state: RunState, observation: Observation): Step {
  const now = passTime(state, observation);
  switch (observation.type) {
    case "run-started":
      if (state.nextEffectId !== 1) return [state, []];
      return state.policy.hasBaseline ? runChecks(now, "baseline") : beginTurn(now);
    case "run-resumed":
      return resume(state, observation);
    case "turn-started":
      return [startIteration(now, observation), []];
    case "turn-progressed":
      return watchSpend({ ...now, liveSpend: observation.spend, sessionId: observation.sessionId ?? now.sessionId });
    case "turn-ended":
      return endTurn(now, observation);
    case "tasks-repaired":
      return endRepair(now, observation);
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

/** An agent was at the task list, and what comes next is another turn, a wait or the end. */
function isListLeft(state: RunState, { type }: Observation, [, effects]: Step): boolean {
  if (!state.isListOpen || type === "tasks-repaired") return false;
  return effects.some((effect) => ["begin-turn", "set-timer", "end-run"].includes(effect.type));
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
  const isSeen = state.facts.report?.isSkipped === true;
  const isNothingLeft = policy.hasTasks && state.tasks?.assignment === null;
  if (isNothingLeft && isSeen) return end(state, "stopped", nothingLeftReason);
  const isLookOnly = isNothingLeft || (isUsedUp && policy.hasMarkers && !isSeen);
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
    attempts: state.attempts,
    assignment: state.tasks?.assignment ?? null,
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
  const broken = breakOff(spent, observation);
  if (broken !== null) return broken;
  const judged = answered({ ...spent, unsettled: null }, { ...noFacts, report });
  const counted: RunState = {
    ...judged,
    limitWaitsInRow: 0,
    emptyInRow: 0,
    failuresInRow: isFailedTurn(report) ? judged.failuresInRow + 1 : 0,
    isAnythingChanged: judged.isAnythingChanged || report.isTreeChanged === true,
  };
  return state.policy.guardrailCount > 0 ? runChecks(counted, "guardrails") : afterGuardrails(counted, at);
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

/** An answer without a word is taken for a hiccup (CW-4K): the turn is repeated and not counted, but not for ever. */
function repeatEmpty(state: RunState, emptyTurnsMax: number): Step {
  if (state.emptyInRow < emptyTurnsMax) return beginTurn(state);
  return end(state, "stopped", `${state.emptyInRow} turns in a row answered nothing.`);
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
    case "baseline": {
      const baseline = verdicts.map(({ name, isPassed }) => ({ name, isPassed }));
      return beginTurn({ ...answered(spent, state.facts), baseline });
    }
    case "guardrails":
      return afterGuardrails(answered(known, { ...state.facts, guardrails: verdicts }), at);
    case "criteria":
      return afterCriteria(answered(known, { ...state.facts, criteria: verdicts }), at);
    case "children":
      return conclude(answered(known, { ...state.facts, children: verdicts }), at);
  }
}

function afterGuardrails(state: RunState, at: number): Step {
  if (!state.policy.hasTasks) return afterTasks(state, at);
  const { iteration, tasks, nextEffectId: id } = state;
  return order(state, { type: "repair-tasks", id, iteration, tasks, isApprovalAllowed: mayApprove(state) });
}

/** The task list is in order: the iteration goes on, or what the turn was broken off for. */
function endRepair(state: RunState, observation: Extract<Observation, { type: "tasks-repaired" }>): Step {
  const { isComplete: isListComplete, violations, remark, at, stop } = observation;
  const facts = { ...state.facts, tasks: { isComplete: isListComplete, violations, remark } };
  // A list that could not be put in order stays as the agent left it: nothing goes on before it is.
  const failed = observation.tasks === null && stop?.name === "failed" ? stop : null;
  const known = { ...state, tasks: observation.tasks ?? state.tasks, facts, isListOpen: failed !== null };
  if (state.afterRepair !== null) {
    const { pending, isHeld } = state.afterRepair;
    const feedback = [...state.feedback, ...taskFeedback(violations)];
    const restored = { ...known, feedback, afterRepair: null, pending, isHeld };
    if (state.ending !== null) return endCut(restored, isHeld);
    if (failed !== null) return end({ ...restored, isHeld: pending !== null }, failed.name, failed.reason);
    return pending === null ? beginTurn(restored) : order(restored, renewed(restored, pending, at));
  }
  if (state.ending !== null) return endCut(known);
  const repaired = answered(known, facts);
  if (stop !== null) return end({ ...repaired, feedback: iterationFeedback(repaired) }, stop.name, stop.reason);
  return afterTasks(repaired, at);
}

function afterTasks(state: RunState, at: number): Step {
  if (!needsDelivery(state)) return afterDelivery(state, at);
  return order(state, { type: "deliver", id: state.nextEffectId, iteration: state.iteration, of: "iteration" });
}

function endDelivery(state: RunState, observation: Extract<Observation, { type: "delivery-finished" }>): Step {
  assert(state.pending?.type === "deliver", "only a delivery can finish");
  const spent = { ...state, spend: addSpend(state.spend, observation.spend) };
  if (observation.isCut) return endCut(spent);
  if (state.pending.of === "completion") return endFinalDelivery(spent, observation.problem);
  const { commit, problem } = observation;
  const delivered = answered(spent, { ...state.facts, isDelivered: commit !== null });
  // The next turn begins at our own commit.
  const tasks = state.tasks === null || commit === null ? state.tasks : { ...state.tasks, head: commit };
  return afterDelivery({ ...delivered, tasks, deliveryProblem: problem }, observation.at);
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
    attempts: [...state.attempts, failedAttempt(state)].slice(-attemptsKept),
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

/** After a crash, an interrupt or a stop: the effect in flight is ordered again under a new id, or the loop goes on. */
function resume(state: RunState, observation: Extract<Observation, { type: "run-resumed" }>): Step {
  if (state.outcome !== null && isFinal(state.outcome)) return [state, []];
  const answer = observation.answer === null ? [] : [{ kind: "answer" as const, text: observation.answer }];
  const fresh: RunState = {
    ...state,
    policy: { ...state.policy, ...observation.change },
    tasks: observation.tasks ?? state.tasks,
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
  return order(fresh, renewed(fresh, fresh.pending, observation.at));
}

function runChecks(state: RunState, of: ChecksOf): Step {
  const { policy } = state;
  const wallMs = {
    baseline: policy.guardrailWallMs,
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
