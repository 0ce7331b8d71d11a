import { addSpend, noSpend, type Spend } from "../agents/spend.ts";
import { assert } from "../assert.ts";
import type { Outcome } from "../run/outcome.ts";
import type { Policy } from "../run/policy.ts";
import { newRun, type RunState } from "../run/state.ts";
import type { TaskProgress, TaskStanding, TaskStatus } from "../tasks/task.ts";
import type { RoleEnd } from "./next-step.ts";
import { sumSpend } from "./work-budget.ts";
import type { BranchTip, VerifiedTip } from "./tip-place.ts";
import type { NewEffect, WorkEffect } from "./work-effect.ts";
import type { FoundTask, RoleUse, WorkHelp, WorkOrderRules } from "./work-observation.ts";
import type { TaskEnd } from "./work-outcome.ts";

/** Raised with every change of what is stored in `work`; `open-work-state.ts` then gets one more step. */
export const workVersion = 1;

/**
 * Everything the engine of a work run remembers. What it shares with every run (policy, spend, time, requests, outcome)
 * are the fields of `RunState`, so that views read both alike; `pending` is the gate asked on a merged tip.
 *
 * @example
 * ```ts
 * import { type WorkState } from "ralph";
 *
 * const open = ({ work }: WorkState): string[] => work.tasks.filter(({ isOver }) => !isOver).map(({ id }) => id);
 * console.log(typeof open);
 * ```
 */
export type WorkState = RunState & { work: WorkBook };

/** What only a work run has. Plain JSON. */
export type WorkBook = {
  version: typeof workVersion;
  rules: WorkOrderRules;
  /** In the order they were chosen: they are merged in this order. */
  tasks: LedTask[];
  /** The role runs, by run id. */
  roles: Record<string, RoleUse & { end: RoleEnd | null; isEnding: boolean }>;
  /** What gates on merged tips cost; it belongs to no role. */
  tipSpend: Spend;
  /** Why nothing new may begin; null: continue. */
  asked: Outcome | null;
  /** The task whose red merge could not be undone: nothing is merged onto it. */
  stuckBy: string | null;
  /** Where ralph left the branch that tasks are merged into. Absent where nothing is merged, or an earlier version began. */
  tip?: BranchTip;
  /** What was verified on that branch, oldest first. */
  verified?: VerifiedTip[];
  /** The last look at the branch, in flight when all tasks have ended. */
  closingId?: number;
  help: WorkHelp;
  /** The wait in flight after which time is counted. */
  timerId: number | null;
};

/** A task on its way through the work run. */
export type LedTask = FoundTask & {
  /** It had its turn in this work run; before that its standing is left alone. */
  isBegun: boolean;
  /** It was done before this work run: nothing of it is stored again. */
  isOver: boolean;
  /** Where it stands on its way through the roles. */
  progress: TaskProgress | null;
  phase: TaskPhase;
};

/** What a task does now, with the effect in flight for it. */
export type TaskPhase =
  /** For what it depends on, or for a slot. */
  | { kind: "waiting" }
  | { kind: "opening"; effectId: number }
  | { kind: "playing"; effectId: number; runId: string }
  /** Between two roles of a paused work run. */
  | { kind: "between" }
  /** Its roles are over for now; it waits for the tasks before it. */
  | { kind: "played"; status: TaskStatus; outcome: Outcome }
  | { kind: "finding-tip"; effectId: number; status: TaskStatus; outcome: Outcome }
  | { kind: "merging"; effectId: number }
  /** `isGreen`: every gate was green, and nothing may have changed meanwhile; else the gates follow. */
  | { kind: "comparing"; effectId: number; merge: string | null; isGreen: boolean }
  | { kind: "verifying"; effectId: number; merge: string | null; said: string | null }
  | { kind: "undoing"; effectId: number }
  | { kind: "clearing"; effectId: number; end: TaskEnd }
  | { kind: "ended"; end: TaskEnd };

/** A state and the orders that follow from it. */
export type WorkStep = [WorkState, WorkEffect[]];

const noRules: WorkOrderRules = { roles: [], rounds: 0, jobs: 0, hasWorktrees: false, gates: [] };

/** The book of a work run that has not begun. */
export const emptyBook: WorkBook = {
  version: workVersion,
  rules: noRules,
  tasks: [],
  roles: {},
  tipSpend: noSpend,
  asked: null,
  stuckBy: null,
  help: { answer: null, more: null },
  timerId: null,
};

/**
 * A work run before its first observation.
 *
 * @example
 * ```ts
 * import { newWork, parseSettings, runPolicy } from "ralph";
 *
 * console.log(newWork(runPolicy(parseSettings([]))).work.tasks.length); // 0
 * ```
 */
export function newWork(policy: Policy): WorkState {
  return { ...newRun(policy), work: emptyBook };
}

/** The state with some of its book changed. */
export function withBook(state: WorkState, change: Partial<WorkBook>): WorkState {
  return { ...state, work: { ...state.work, ...change } };
}

/** The state with this task in the place of its former self. */
export function withTask(state: WorkState, task: LedTask): WorkState {
  return withBook(state, { tasks: state.work.tasks.map((each) => (each.id === task.id ? task : each)) });
}

/** The state with what a role run used; the spend of the work run is the sum of all. */
export function withRole(state: WorkState, runId: string, role: WorkBook["roles"][string]): WorkState {
  return counted(withBook(state, { roles: { ...state.work.roles, [runId]: role } }));
}

/** Brings the spend of the whole up to date. */
export function counted(state: WorkState): WorkState {
  const { roles, tipSpend } = state.work;
  return { ...state, spend: addSpend(sumSpend(Object.values(roles).map(({ spend }) => spend)), tipSpend) };
}

/** Numbers an effect. */
export function ordered(state: WorkState, effect: NewEffect): WorkStep {
  const id = state.nextEffectId;
  return [{ ...state, nextEffectId: id + 1 }, [{ ...effect, id }]];
}

/** Orders an effect for a task, which waits for its answer in the phase given. */
export function orderedFor(
  state: WorkState,
  task: LedTask,
  { effect, phase }: { effect: NewEffect; phase: (effectId: number) => TaskPhase },
): WorkStep {
  return ordered(withTask(state, { ...task, phase: phase(state.nextEffectId) }), effect);
}

/** Goes on from a step, with the effects of both. */
export function andThen([state, effects]: WorkStep, next: (state: WorkState) => WorkStep): WorkStep {
  const [after, more] = next(state);
  return [after, [...effects, ...more]];
}

/** The task that waits for the answer of this effect. */
export function taskOf(state: WorkState, effectId: number): LedTask {
  const task = state.work.tasks.find(({ phase }) => "effectId" in phase && phase.effectId === effectId);
  assert(task !== undefined, "an awaited answer belongs to a task");
  return task;
}

/** Iterations that this work run used on a task. */
export function iterationsOf({ work }: WorkState, taskId: string): number {
  return Object.values(work.roles)
    .filter((role) => role.taskId === taskId)
    .reduce((sum, { iteration }) => sum + iteration, 0);
}

/**
 * How a task stands now, as the store of tasks keeps it; null: as it stands there already. A task whose roles are over
 * keeps what stands there until its merge is marked or it ends.
 */
export function standingOf(state: WorkState, task: LedTask): TaskStanding | null {
  const { phase, progress, isBegun, isOver } = task;
  if (!isBegun || isOver || phase.kind === "played" || phase.kind === "finding-tip") return null;
  const status = phase.kind === "ended" || phase.kind === "clearing" ? phase.end.status : "running";
  return { status, iteration: task.iteration + iterationsOf(state, task.id), progress };
}

/** The commits that were verified for tasks, oldest first. */
export function verifiedCommits({ verified = [] }: WorkBook): string[] {
  return verified.map(({ commit }) => commit);
}

/** How each task ended, in their order. */
export function endsOf({ work }: WorkState): TaskEnd[] {
  return work.tasks.flatMap(({ phase }) => (phase.kind === "ended" ? [phase.end] : []));
}
