import { noSpend, type Spend } from "../../src/core/agents/spend.ts";
import type { GateAnswer, Moment, Request } from "../../src/core/run/observation.ts";
import type { Outcome, OutcomeName } from "../../src/core/run/outcome.ts";
import type { Policy } from "../../src/core/run/policy.ts";
import type { TaskProgress, TaskStanding } from "../../src/core/tasks/task.ts";
import type { Verdict } from "../../src/core/verification/verdict.ts";
import { decideWork } from "../../src/core/work/decide-work.ts";
import type { RoleEnd } from "../../src/core/work/next-step.ts";
import type { TipFacts, BranchTip } from "../../src/core/work/tip-place.ts";
import type { WorkEffect } from "../../src/core/work/work-effect.ts";
import type {
  FoundRole,
  FoundTask,
  WorkHelp,
  WorkObservation,
  WorkOrderRules,
} from "../../src/core/work/work-observation.ts";
import { newWork, type TaskPhase, type WorkState } from "../../src/core/work/work-state.ts";
import { cutAnswer, plainAnswer } from "../../src/core/run/gate-answer.ts";
import { plain, toyGate } from "./play.ts";

/** News before it has its time. */
export type WorkNews = WorkObservation extends infer Each
  ? Each extends WorkObservation
    ? Omit<Each, keyof Moment>
    : never
  : never;

/** A work run so far: its state, everything it ordered, and the same in short lines. */
export type PlayedWork = { state: WorkState; effects: WorkEffect[]; orders: string[]; upMs: number };

/** News that depends on what is in flight. `afterMs` passes before it. */
export type WorkMove = (played: PlayedWork) => { news: WorkNews; afterMs?: number };

/** A task in short: what it waits for and how it was found. */
export type TaskShape = {
  id: string;
  needs?: string[];
  status?: TaskStanding["status"];
  progress?: TaskProgress;
  isKept?: boolean;
  isRemoved?: boolean;
  isEdited?: boolean;
};

/** A work run in short: one coder, no work trees, one gate on the tip. */
export type WorkShape = Partial<Omit<WorkOrderRules, "gates">> & {
  tasks: TaskShape[];
  /** It knows where the branch is left: at the commit `head` of `main`. */
  hasTip?: boolean;
  gates?: number;
  policy?: Partial<Policy>;
};

/** The rules of a shape. */
export function rulesOf({ roles, rounds, jobs, hasWorktrees, isSealed, gates = 1 }: WorkShape): WorkOrderRules {
  return {
    roles: roles ?? ["coder"],
    rounds: rounds ?? 1,
    jobs: jobs ?? 1,
    hasWorktrees: hasWorktrees ?? false,
    gates: Array.from({ length: gates }, (_, index) => toyGate(`check-${index + 1}`)),
    ...(isSealed === undefined ? {} : { isSealed }),
  };
}

/** The tasks of a shape as they are found. */
export function tasksOf({ tasks, hasWorktrees }: WorkShape): FoundTask[] {
  return tasks.map(({ id, needs, status, progress, isKept, isRemoved, isEdited }) => ({
    id,
    dependencies: needs ?? [],
    iteration: 0,
    standing: isRemoved === true ? null : { status: status ?? "ready", progress: progress ?? null },
    ...(isEdited === true ? { isEdited } : {}),
    isKept: isKept ?? true,
    place: hasWorktrees === true ? { path: `/trees/${id}`, branch: `ralph/${id}` } : null,
  }));
}

/** Starts a work run and lets things happen to it. */
export function playWork(shape: WorkShape, ...moves: WorkMove[]): PlayedWork {
  const state = newWork({ ...plain, kind: "work", iterationsMax: null, ...shape.policy });
  const tip = shape.hasTip === true ? { tip: { branch: "main", commit: "head" } } : {};
  const start: WorkMove = () => ({
    news: { type: "work-started", rules: rulesOf(shape), tasks: tasksOf(shape), ...tip },
  });
  return goOnWork({ state, effects: [], orders: [], upMs: 0 }, start, ...moves);
}

/** Lets more happen. */
export function goOnWork(played: PlayedWork, ...moves: WorkMove[]): PlayedWork {
  return moves.reduce((before, move) => {
    const { news, afterMs = 0 } = move(before);
    const upMs = before.upMs + afterMs;
    const [state, effects] = decideWork(before.state, { ...news, at: 1000 + upMs, upMs });
    const all = [...before.effects, ...effects];
    return { state, effects: all, orders: [...before.orders, ...effects.flatMap((each) => line(each, all))], upMs };
  }, played);
}

/** The orders in short; the tick of the clock is left out. */
function line(effect: WorkEffect, all: readonly WorkEffect[]): string[] {
  switch (effect.type) {
    case "set-timer":
      return [];
    case "start-role":
      return [`${effect.start.kind} ${effect.taskId} ${effect.progress.role} ${effect.progress.round}`];
    case "tell-role":
      return [`tell ${ownerOf(effect.effectId, all)} ${effect.request}`];
    case "cut-role":
      return [`cut ${ownerOf(effect.effectId, all)} ${effect.because.name}`];
    case "cut":
      return [`cut gate of ${ownerOf(effect.effectId, all)}`];
    case "verify-tip":
      return [`${effect.gate.id} of ${effect.taskId}`];
    case "end-run":
      return [effect.outcome.name];
    case "open-place":
    case "find-tip":
    case "merge-task":
    case "compare-tip":
    case "undo-merge":
    case "clear-place":
      return [`${effect.type} ${effect.taskId}`];
  }
}

function ownerOf(effectId: number, all: readonly WorkEffect[]): string {
  const found = all.find(({ id }) => id === effectId);
  return found !== undefined && "taskId" in found ? found.taskId : "";
}

/** The effect that a task waits for. */
export function inFlight({ state }: PlayedWork, taskId: string): number {
  const phase = phaseOf(state, taskId);
  if (!("effectId" in phase)) throw new Error(`nothing of ${taskId} is in flight: it is ${phase.kind}`);
  return phase.effectId;
}

/** What a task does now. */
export function phaseOf({ work }: WorkState, taskId: string): TaskPhase {
  const task = work.tasks.find(({ id }) => id === taskId);
  if (task === undefined) throw new Error(`there is no task ${taskId}`);
  return task.phase;
}

const completed: Outcome = { name: "completed", reason: "Completion verified" };

/** Its place is opened; role runs are called `task-1`, `task-2`, … */
export const opened =
  (id: string, nth = 1, base?: string): WorkMove =>
  (played) => ({
    news: {
      type: "place-opened",
      effectId: inFlight(played, id),
      place: { projectDir: `/trees/${id}`, startCommit: null, ...(base === undefined ? {} : { base }) },
      runId: `${id}-${nth}`,
    },
  });

/** What a role used. */
export const used = (taskId: string, change: { usd?: number; iteration?: number; usedMs?: number } = {}) => {
  const spend: Spend = change.usd === undefined ? noSpend : { ...noSpend, usd: change.usd };
  return { taskId, iteration: change.iteration ?? 1, spend, usedMs: change.usedMs ?? 0 };
};

/** Its role run ends. */
export const ends =
  (id: string, end: Partial<RoleEnd> & { usd?: number; name?: OutcomeName } = {}): WorkMove =>
  (played) => {
    const { usd, name, ...rest } = end;
    const outcome = name === undefined ? completed : { name, reason: `it is ${name}` };
    return {
      news: {
        type: "role-ended",
        effectId: inFlight(played, id),
        use: used(id, usd === undefined ? {} : { usd }),
        end: { outcome, rejected: null, checks: ["npm test"], ...rest },
      },
    };
  };

/** Its role spent so much; `isEnding`: it noticed by itself. */
export const spent =
  (id: string, usd: number, isEnding = false): WorkMove =>
  (played) => ({
    news: { type: "role-progressed", effectId: inFlight(played, id), use: used(id, { usd }), isEnding },
  });

/** The branch as it stands: by default where the work run left it. */
function placed({ state }: PlayedWork, change: Partial<TipFacts>): { place?: TipFacts } {
  const { tip } = state.work;
  if (tip === undefined) return {};
  return { place: { branch: tip.branch, head: tip.commit, base: null, merge: null, lost: [], ...change } };
}

/** The tip is found and the task is merged, or is not for this reason. */
export const found =
  (id: string, change: Partial<TipFacts> = {}): WorkMove =>
  (played) => ({
    news: { type: "tip-found", effectId: inFlight(played, id), head: "head", ...placed(played, change) },
  });

export const merged =
  (id: string, problem: string | null = null, change: Partial<TipFacts> = {}): WorkMove =>
  (played) => {
    const ours = problem === null ? { head: "m1", merge: "m1", base: played.state.work.tip?.commit ?? null } : {};
    return {
      news: {
        type: "task-merged",
        effectId: inFlight(played, id),
        problem,
        merge: problem === null ? "m1" : null,
        ...placed(played, { ...ours, ...change }),
      },
    };
  };

/** The main work tree was compared with the merged commit. */
export const compared =
  (id: string, foreign: string[] = [], change: Partial<TipFacts> = {}): WorkMove =>
  (played) => {
    const place = placed(played, change).place ?? { branch: null, head: null, base: null, merge: null, lost: [] };
    return { news: { type: "tip-compared", effectId: inFlight(played, id), foreign, place } };
  };

/** The last look at the branch, when all tasks have ended. */
export const closed =
  (change: Partial<TipFacts> = {}): WorkMove =>
  (played) => ({
    news: {
      type: "tip-found",
      effectId: played.state.work.closingId ?? -1,
      head: "head",
      ...placed(played, change),
    },
  });

/** A verdict of the gate asked on the tip. */
export const verdictOf = (isPassed: boolean): Verdict => ({
  index: 0,
  name: "check",
  isPassed,
  exitCode: isPassed ? 0 : 1,
  isTimedOut: false,
  durationMs: 1,
  reason: isPassed ? "passed" : "Command exited with 1",
  output: { text: isPassed ? "" : "they do not fit" },
  logFile: null,
});

export const verified =
  (id: string, isPassed = true): WorkMove =>
  (played) =>
    answeredGate(played, id, plainAnswer([verdictOf(isPassed)]), isPassed ? null : "they do not fit");

/** The gate was cut before it could say anything. */
export const cutOff =
  (id: string): WorkMove =>
  (played) =>
    answeredGate(played, id, cutAnswer(), null);

function answeredGate(played: PlayedWork, id: string, answer: GateAnswer, said: string | null): ReturnType<WorkMove> {
  return { news: { type: "gate-finished", effectId: inFlight(played, id), said, ...answer } };
}

export const undone =
  (id: string, problem: string | null = null): WorkMove =>
  (played) => ({
    news: { type: "merge-undone", effectId: inFlight(played, id), problem, tip: problem === null ? "head" : null },
  });

export const cleared =
  (id: string): WorkMove =>
  (played) => ({ news: { type: "place-cleared", effectId: inFlight(played, id) } });

export const broken =
  (id: string, reason: string): WorkMove =>
  (played) => ({ news: { type: "operation-failed", effectId: inFlight(played, id), reason } });

/** So much time passes, and the clock ticks. */
export const ticked =
  (afterMs: number): WorkMove =>
  ({ state }) => ({ news: { type: "timer-fired", effectId: state.work.timerId ?? -1 }, afterMs });

/** Another command asks something. */
export const asked =
  (request: Request): WorkMove =>
  ({ state }) => ({ news: { type: "asked", request, seq: state.lastRequestSeq + 1 } });

/** The work run is resumed with what is found then. */
export const resumedWith =
  (
    shape: WorkShape,
    roles: FoundRole[] = [],
    more: { help?: WorkHelp; isCancelAsked?: boolean; change?: Partial<Policy>; tip?: BranchTip } = {},
  ): WorkMove =>
  ({ state }) => ({
    news: {
      type: "work-resumed",
      rules: rulesOf(shape),
      tasks: tasksOf(shape),
      roles,
      help: more.help ?? { answer: null, more: null },
      change: more.change ?? {},
      missed: { isCancelAsked: more.isCancelAsked ?? false, lastSeq: state.lastRequestSeq },
      ...(more.tip === undefined ? {} : { tip: more.tip }),
    },
  });
