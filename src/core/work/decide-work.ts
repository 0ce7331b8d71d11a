import { addSpend } from "../agents/spend.ts";
import { assert } from "../assert.ts";
import { withAnswer } from "../engine/gate-orders.ts";
import { withRequest } from "../engine/requests.ts";
import { overBudget, passTime } from "../policies/budget.ts";
import { cancelledReason, interruptedReason } from "../policies/outcome-reasons.ts";
import type { Outcome } from "../run/outcome.ts";
import { beginWork, resumeWork } from "./begin-work.ts";
import {
  afterComparing,
  afterMerge,
  afterTip,
  afterTipGate,
  afterUndo,
  concludeTask,
  failTask,
  leaveTask,
} from "./conclude-task.ts";
import { afterOpening, afterRole, beginTask, hasSlot, isHalted, playTask } from "./lead-task.ts";
import { judgePlace } from "./tip-place.ts";
import type { NewEffect } from "./work-effect.ts";
import type { WorkObservation } from "./work-observation.ts";
import { workOutcome } from "./work-outcome.ts";
import {
  andThen,
  counted,
  endsOf,
  type LedTask,
  ordered,
  taskOf,
  type TaskPhase,
  verifiedCommits,
  withBook,
  withRole,
  withTask,
  type WorkState,
  type WorkStep,
} from "./work-state.ts";

type Seen<Type extends WorkObservation["type"]> = Extract<WorkObservation, { type: Type }>;

/**
 * The rules of a work run, and nothing else: pure, deterministic, total. Each task waits for what it depends on and for
 * a slot, goes through its roles, is merged in the order of the tasks, and is done when every gate of the project is
 * green on the merged tip. Role runs, merges and gates are effects; several may be in flight.
 *
 * @example
 * ```ts
 * import { decideWork, newWork, parseSettings, runPolicy, type WorkObservation } from "ralph";
 *
 * const task = { id: "greet", dependencies: [], iteration: 0, isKept: false, place: null };
 * const started: WorkObservation = {
 *   type: "work-started",
 *   at: Date.now(),
 *   upMs: 0,
 *   rules: { roles: ["coder", "reviewer"], rounds: 3, jobs: 1, hasWorktrees: false, gates: [] },
 *   tasks: [{ ...task, standing: { status: "ready", progress: null } }],
 * };
 * const [state, effects] = decideWork(newWork(runPolicy(parseSettings([]))), started);
 * console.log(state.outcome, effects.map(({ type }) => type)); // null [ "set-timer", "open-place" ]
 * ```
 */
export function decideWork(state: WorkState, observation: WorkObservation): WorkStep {
  if (state.outcome !== null && observation.type !== "work-resumed") return [state, []];
  if ("effectId" in observation && !isAwaited(state, observation)) return [state, []];
  if (isHeardBefore(state, observation)) return [state, []];
  const now = observation.type === "work-resumed" ? state : passTime(state, observation);
  const step = react(now, observation);
  return step === null ? [state, []] : settle(step);
}

/** What one observation does by itself; null: nothing. */
function react(state: WorkState, observation: WorkObservation): WorkStep | null {
  switch (observation.type) {
    case "work-started":
      return state.nextEffectId === 1 ? setTimer(beginWork(state, observation), observation.at) : null;
    case "work-resumed": {
      const resumed = resumeWork(state, observation);
      return resumed === null ? null : watched(setTimer(resumed, observation.at));
    }
    case "asked":
      return hear(state, observation);
    case "timer-fired":
      return watched(setTimer(state, observation.at));
    case "role-progressed":
      return watched([withUse(state, observation), []]);
    case "role-ended":
      return endRole(state, observation);
    case "gate-finished":
      return endTipGate(state, observation);
    case "place-opened":
      return afterOpening(state, taskOf(state, observation.effectId), observation);
    case "tip-found":
      if (observation.effectId === state.work.closingId) return closeWork(state, observation);
      return afterTip(state, taskOf(state, observation.effectId), observation);
    case "task-merged":
      return afterMerge(state, taskOf(state, observation.effectId), observation);
    case "tip-compared":
      return afterComparing(state, taskOf(state, observation.effectId), observation);
    case "merge-undone":
      return afterUndo(state, taskOf(state, observation.effectId), observation);
    case "place-cleared":
      return [endCleared(state, taskOf(state, observation.effectId)), []];
    case "operation-failed":
      return failOperation(state, observation);
  }
}

type Answer = Extract<WorkObservation, { effectId: number }>;

/** What a task does while it waits for an answer; null: whatever it does. */
const answeredPhases: Record<Exclude<Answer["type"], "timer-fired">, TaskPhase["kind"] | null> = {
  "place-opened": "opening",
  "role-progressed": "playing",
  "role-ended": "playing",
  "tip-found": "finding-tip",
  "task-merged": "merging",
  "tip-compared": "comparing",
  "gate-finished": "verifying",
  "merge-undone": "undoing",
  "place-cleared": "clearing",
  "operation-failed": null,
};

/** Only an effect in flight may answer; everything else is stale. */
function isAwaited({ work }: WorkState, { type, effectId }: Answer): boolean {
  if (type === "timer-fired") return work.timerId === effectId;
  if (effectId === work.closingId) return type === "tip-found" || type === "operation-failed";
  const phase = work.tasks.find((task) => "effectId" in task.phase && task.phase.effectId === effectId)?.phase;
  const kind = answeredPhases[type];
  return phase !== undefined && (kind === null || phase.kind === kind);
}

/** Requests of other commands are numbered: each is heard once, also when a resume has already heard of it. */
function isHeardBefore({ lastRequestSeq }: WorkState, observation: WorkObservation): boolean {
  return observation.type === "asked" && observation.seq !== null && observation.seq <= lastRequestSeq;
}

/** How often the time used is counted and stored: what a kill can lose of it. */
const tickMs = 15_000;

function setTimer(state: WorkState, at: number): WorkStep {
  const timing = withBook(state, { timerId: state.nextEffectId });
  return ordered(timing, { type: "set-timer", durationMs: tickMs, dueAt: at + tickMs });
}

/** A cancel counts above everything; a signal, unless something was asked before. Every role at work is told. */
function hear(before: WorkState, observation: Seen<"asked">): WorkStep {
  const { request } = observation;
  const state = withRequest(before, observation);
  const asked = askedBy(state, request);
  const heard = withBook({ ...state, isHeld: state.isPauseAsked }, { asked });
  const telling = tellAll(heard, (effectId) => ({ type: "tell-role", effectId, request }));
  return before.work.asked === null && asked !== null ? andThen(telling, cutGate) : telling;
}

function askedBy({ work }: WorkState, request: Seen<"asked">["request"]): Outcome | null {
  switch (request) {
    case "cancel":
      return { name: "cancelled", reason: cancelledReason };
    case "interrupt":
    case "interrupt-now":
      return work.asked ?? { name: "interrupted", reason: interruptedReason };
    case "pause":
    case "go-on":
      return work.asked;
  }
}

/** Budgets hold over all roles together; a role that noticed it by itself ends with its own words. */
function watched(step: WorkStep): WorkStep {
  return andThen(step, (state) => {
    const reason = state.work.asked === null ? overBudget(state) : null;
    if (reason === null) return [state, []];
    const because: Outcome = { name: "stopped", reason };
    const stopped = withBook(state, { asked: because });
    const cutting = tellAll(stopped, (effectId, runId) =>
      state.work.roles[runId]?.isEnding === true ? null : { type: "cut-role", effectId, because },
    );
    return andThen(cutting, cutGate);
  });
}

/** Orders an effect for every running role. */
function tellAll(state: WorkState, effectFor: (effectId: number, runId: string) => NewEffect | null): WorkStep {
  return state.work.tasks.reduce<WorkStep>(
    (step, { phase }) => {
      const effect = phase.kind === "playing" ? effectFor(phase.effectId, phase.runId) : null;
      return effect === null ? step : andThen(step, (next) => ordered(next, effect));
    },
    [state, []],
  );
}

/** The gate asked on a merged tip is not waited for once something was asked. */
function cutGate(state: WorkState): WorkStep {
  return state.pending === null ? [state, []] : ordered(state, { type: "cut", effectId: state.pending.id });
}

function withUse(state: WorkState, { effectId, use, isEnding }: Seen<"role-progressed">): WorkState {
  const { phase } = taskOf(state, effectId);
  assert(phase.kind === "playing", "only a role at work progresses");
  return withRole(state, phase.runId, { ...use, end: null, isEnding });
}

function endRole(state: WorkState, { effectId, use, end }: Seen<"role-ended">): WorkStep {
  const task = taskOf(state, effectId);
  assert(task.phase.kind === "playing", "only a role at work ends");
  const known = withRole(state, task.phase.runId, { ...use, end, isEnding: false });
  const over = { ...task, phase: { kind: "between" as const } };
  return andThen(watched([withTask(known, over), []]), (next) => afterRole(next, over, end));
}

function endTipGate(state: WorkState, answer: Seen<"gate-finished">): WorkStep {
  assert(state.pending?.type === "run-gate", "only a gate can finish");
  const { gate } = state.pending;
  const { facts, recentVerdicts } = withAnswer(state, gate, answer);
  const tipSpend = addSpend(state.work.tipSpend, answer.spend);
  const known = counted(withBook({ ...state, pending: null, facts, recentVerdicts }, { tipSpend }));
  return andThen(watched([known, []]), (next) => {
    // A gate that had only the rest of the budget is not red because of that.
    const isOutOfBudget = next.work.asked?.name === "stopped" && answer.verdicts.some(({ isTimedOut }) => isTimedOut);
    const task = taskOf(next, answer.effectId);
    return afterTipGate(next, task, { answer, gate, isCut: answer.isCut || isOutOfBudget });
  });
}

function endCleared(state: WorkState, task: LedTask): WorkState {
  assert(task.phase.kind === "clearing", "only a place that is cleared is gone");
  return withTask(state, { ...task, phase: { kind: "ended", end: task.phase.end } });
}

function failOperation(state: WorkState, { effectId, reason }: Seen<"operation-failed">): WorkStep {
  if (effectId === state.work.closingId) return endWork(state, { name: "failed", reason });
  const task = taskOf(state, effectId);
  // The task is done, and what is left of its place does no harm.
  if (task.phase.kind === "clearing") return [endCleared(state, task), []];
  const idle = task.phase.kind === "verifying" ? { ...state, pending: null } : state;
  return failTask(idle, task, reason);
}

/** Lets every task go as far as it can; when all have ended, so has the work run. Each pass moves a task forward. */
function settle(step: WorkStep): WorkStep {
  const [state] = step;
  for (const task of state.work.tasks) {
    const moved = moveOn(state, task);
    if (moved !== null) return settle(andThen(step, () => moved));
  }
  const isOver = state.outcome === null && state.work.tasks.every(({ phase }) => phase.kind === "ended");
  return isOver && state.work.closingId === undefined ? andThen(step, lastLook) : step;
}

function moveOn(state: WorkState, task: LedTask): WorkStep | null {
  switch (task.phase.kind) {
    case "waiting":
      return takeTurn(state, task);
    case "between":
      return isHalted(state) ? null : playTask(state, task);
    case "played":
      return isInOrder(state, task) ? concludeTask(state, task) : null;
    case "opening":
    case "playing":
    case "finding-tip":
    case "merging":
    case "comparing":
    case "verifying":
    case "undoing":
    case "clearing":
    case "ended":
      return null;
  }
}

/** Begins a task, or continues one that was sent back, when its dependencies are done and a slot is free. */
function takeTurn(state: WorkState, task: LedTask): WorkStep | null {
  const { tasks, rules } = state.work;
  if (!task.isBegun) {
    const needed = tasks.filter(({ id }) => task.dependencies.includes(id));
    if (needed.some(({ phase }) => phase.kind !== "ended")) return null;
    const missing = needed.filter(({ phase }) => phase.kind === "ended" && phase.end.status !== "done");
    if (missing.length > 0) return leaveTask(state, task, `waits for ${missing.map(({ id }) => id).join(", ")}`);
    if (task.standing === null) return leaveTask(state, task, "it was removed");
    // Nothing of the former version is on its way: to work on it now would verify what nobody asks for any more.
    if (task.isEdited === true && task.progress === null) return leaveTask(state, task, "it was edited");
  }
  if (tasks.filter((each) => hasSlot(state, each)).length >= rules.jobs) return null;
  return task.isBegun ? playTask(state, task) : beginTask(state, task);
}

/** Merges happen one at a time, in the order of the tasks, each verified before the next one. */
function isInOrder({ work }: WorkState, task: LedTask): boolean {
  if (!work.rules.hasWorktrees) return true;
  const earlier = work.tasks.slice(0, work.tasks.indexOf(task));
  return earlier.every(({ phase }) => phase.kind === "ended");
}

/** What was merged for a task that is done must still be there at the end: agents of later tasks worked since then. */
function lastLook(state: WorkState): WorkStep {
  const { tip, verified, asked } = state.work;
  const last = verified?.at(-1);
  if (tip === undefined || last === undefined || asked !== null) return endWork(state, asked);
  const looking = withBook(state, { closingId: state.nextEffectId });
  const question = { verified: verifiedCommits(state.work), since: null };
  return ordered(looking, { type: "find-tip", taskId: last.taskId, ...question });
}

function closeWork(state: WorkState, { place }: Seen<"tip-found">): WorkStep {
  const { tip, verified = [], asked } = state.work;
  assert(tip !== undefined && place !== undefined, "the last look is at a branch whose place is known");
  const found = judgePlace(tip, place, verified);
  return endWork(state, found.kind === "moved" ? (asked ?? { name: "waiting", reason: found.reason }) : asked);
}

function endWork(state: WorkState, asked: Outcome | null): WorkStep {
  const outcome = workOutcome(endsOf(state), asked);
  const { closingId: _closing, ...work } = state.work;
  const ended = { ...state, work: { ...work, timerId: null }, outcome, isHeld: false, pending: null };
  return ordered(ended, { type: "end-run", outcome });
}
