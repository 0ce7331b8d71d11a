import { noSpend } from "../agents/spend.ts";
import { assert } from "../assert.ts";
import type { Outcome } from "../run/outcome.ts";
import type { TaskProgress, TaskStatus } from "../tasks/task.ts";
import { firstStep, nextStep, type RoleEnd } from "./next-step.ts";
import { isRoleOver } from "./role-end.ts";
import { budgetChange, budgetRest } from "./work-budget.ts";
import type { RoleStart } from "./work-effect.ts";
import type { WorkObservation } from "./work-observation.ts";
import { type LedTask, orderedFor, withRole, withTask, type WorkState, type WorkStep } from "./work-state.ts";

/** A paused work run begins nothing; once something was asked of it, tasks come to their end instead. */
export function isHalted({ isPauseAsked, work }: WorkState): boolean {
  return isPauseAsked && work.asked === null;
}

/**
 * Whether a task has a slot: a role of it is at work or is the next to be. In the project directory the next task would
 * change the tip, so a task keeps its slot until it is verified.
 */
export function hasSlot({ work }: WorkState, { isBegun, phase }: LedTask): boolean {
  switch (phase.kind) {
    case "opening":
    case "playing":
    case "between":
      return true;
    case "waiting":
    case "ended":
      return false;
    case "played":
    case "finding-tip":
    case "merging":
    case "comparing":
    case "verifying":
    case "undoing":
    case "clearing":
      return isBegun && !work.rules.hasWorktrees;
  }
}

/** Done, given up, or somewhere on its way: a work run begins where the one before it stopped. */
export function beginTask(state: WorkState, found: LedTask): WorkStep {
  const task = { ...found, isBegun: true };
  const { standing, isKept } = task;
  assert(standing !== null, "a task that was removed is not begun");
  const { status, progress } = standing;
  const { rules, help, roles } = state.work;
  if (status === "done") return asFound(state, { ...task, isOver: true }, "done", "completed");
  // Its roles are done; a kill or a cancel came before the merged tip was verified.
  if (progress?.tip !== undefined && status !== "failed" && isKept) return asFound(state, task, "done", "completed");
  if (status === "conflict") return asFound(state, task, "conflict", "waiting");
  const last = roles[progress?.runId ?? ""] ?? null;
  if (status === "failed" && last !== null) {
    const isMore = help.more !== null && last.end?.outcome.name === "exhausted";
    return isMore ? playTask(state, task) : asFound(state, task, "failed", "exhausted");
  }
  const isAnew = status === "failed" || !isKept;
  const first = firstStep(isAnew ? null : withBase(progress, task, last !== null), rules);
  assert(first !== null, "a work run has at least one role");
  const reasons = progress?.reasons ?? [];
  const runId = isAnew || last === null ? null : (progress?.runId ?? null);
  return playTask(state, { ...task, progress: { ...first, reasons, runId } });
}

/** In the project directory people may have worked since another work run: the task begins with what they left. */
function withBase(progress: TaskProgress | null, { place }: LedTask, isOfThisRun: boolean): TaskProgress | null {
  if (progress === null || place !== null || isOfThisRun) return progress;
  const { base: _base, ...others } = progress;
  return others;
}

/** The next role of a task: begun, resumed, or found ended when the driver died before it could say so. */
export function playTask(state: WorkState, task: LedTask): WorkStep {
  const { progress } = task;
  assert(progress !== null, "a task that is played is on its way");
  if (isHalted(state)) return [withTask(state, { ...task, phase: { kind: "between" } }), []];
  const { asked, help, roles } = state.work;
  const { runId } = progress;
  const run = roles[runId ?? ""] ?? null;
  if (run !== null && run.end !== null && isRoleOver(run.end, help)) return afterRole(state, task, run.end);
  if (runId !== null && run !== null && (asked === null || asked.name === "cancelled"))
    return startRole(state, task, { runId, start: asked === null ? resumed(state, task, runId) : { kind: "cancel" } });
  if (asked !== null) return heldBack(state, task, asked);
  const effect = { type: "open-place" as const, taskId: task.id };
  const opening = { ...task, progress: { ...progress, note: "" } };
  return orderedFor(state, opening, { effect, phase: (effectId) => ({ kind: "opening", effectId }) });
}

/** Its place is there: the role run begins, unless something was asked meanwhile. */
export function afterOpening(
  state: WorkState,
  task: LedTask,
  { place, runId }: Extract<WorkObservation, { type: "place-opened" }>,
): WorkStep {
  const { progress } = task;
  assert(progress !== null, "a task with a place is on its way");
  const { asked } = state.work;
  if (asked !== null) return heldBack(state, task, asked);
  if (isHalted(state)) return [withTask(state, { ...task, phase: { kind: "between" } }), []];
  const { policy, spend, usedMs } = state;
  // All roles of a task are compared with what the first one found.
  const base = progress.base ?? place.base;
  const own = base === undefined ? {} : { base };
  const start: RoleStart = { kind: "new", place: { ...place, ...own }, rest: budgetRest(policy, { spend, usedMs }) };
  return startRole(state, { ...task, progress: { ...progress, ...own, runId } }, { runId, start });
}

/** A role run is over: the next role, or the end of this task's way for now. */
export function afterRole(state: WorkState, task: LedTask, end: RoleEnd): WorkStep {
  assert(task.progress !== null, "a role belongs to a task on its way");
  const step = nextStep(task.progress, end, state.work.rules);
  const next = { ...task, progress: step.progress };
  if (step.kind === "role") return playTask(state, next);
  return [withTask(state, { ...next, phase: { kind: "played", status: step.status, outcome: step.outcome } }), []];
}

function startRole(state: WorkState, task: LedTask, { runId, start }: { runId: string; start: RoleStart }): WorkStep {
  assert(task.progress !== null, "a role belongs to a task on its way");
  const progress: TaskProgress = { ...task.progress, note: "" };
  const fresh = { taskId: task.id, iteration: 0, spend: noSpend, usedMs: 0 };
  const role = { ...(state.work.roles[runId] ?? fresh), end: null, isEnding: false };
  return orderedFor(
    withRole(state, runId, role),
    { ...task, progress },
    {
      effect: { type: "start-role", taskId: task.id, runId, progress, start },
      phase: (effectId) => ({ kind: "playing", effectId, runId }),
    },
  );
}

/** With what is left of the budgets of the whole, and with what a person brought along for it. */
function resumed(state: WorkState, task: LedTask, runId: string): RoleStart {
  const { policy, spend, usedMs, work } = state;
  const { answer, more, accepted } = work.help;
  const own = work.roles[runId];
  assert(own !== undefined, "a role run that is resumed is known");
  const name = own.end?.outcome.name;
  const isMeant = (help: { taskId: string | null }): boolean =>
    (help.taskId ?? task.id) === task.id && name === "waiting";
  const isAnswered = answer !== null && isMeant(answer);
  const change = {
    ...budgetChange(policy, { spend, usedMs }, own),
    ...(more === null ? {} : { iterationsMax: own.iteration + more }),
  };
  const acceptedTests = accepted !== undefined && isMeant(accepted) ? { acceptedTests: accepted.names } : {};
  return { kind: "resume", change, answer: isAnswered ? answer.text : null, ...acceptedTests };
}

/** Nothing new begins once something was asked. */
function heldBack(state: WorkState, task: LedTask, asked: Outcome): WorkStep {
  assert(task.progress !== null, "a task that is held back is on its way");
  const progress = { ...task.progress, note: `${asked.name}: ${asked.reason}` };
  return [withTask(state, { ...task, progress, phase: { kind: "played", status: "ready", outcome: asked } }), []];
}

/** A task that stood like this when it was found. */
function asFound(state: WorkState, task: LedTask, status: TaskStatus, name: Outcome["name"]): WorkStep {
  const reason = (task.progress?.note ?? "").replace(/^\w+: /, "");
  return [withTask(state, { ...task, phase: { kind: "played", status, outcome: { name, reason } } }), []];
}
