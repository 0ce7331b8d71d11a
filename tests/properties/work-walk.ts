import * as fc from "fast-check";
import { noSpend } from "../../src/core/agents/spend.ts";
import type { Gate } from "../../src/core/contract/gate.ts";
import type { GateAnswer, Request } from "../../src/core/run/observation.ts";
import type { Outcome, OutcomeName } from "../../src/core/run/outcome.ts";
import { type Role, roles as allRoles } from "../../src/core/tasks/criteria/role.ts";
import type { BranchTip } from "../../src/core/work/tip-place.ts";
import type { WorkEffect } from "../../src/core/work/work-effect.ts";
import type { FoundRole, FoundTask, WorkObservation, WorkOrderRules } from "../../src/core/work/work-observation.ts";
import { newWork, standingOf, type WorkState, type WorkStep } from "../../src/core/work/work-state.ts";
import { cutAnswer, plainAnswer } from "../../src/core/run/gate-answer.ts";
import { plain, toyGate } from "../engine/play.ts";
import { verdictOf, type WorkNews } from "../engine/play-work.ts";
import { mergeOf, placeOf, takeBack, type WalkedBranch } from "./walked-branch.ts";

export type DecideWork = (state: WorkState, observation: WorkObservation) => WorkStep;

/** A work run: its rules, its tasks with what they wait for, and its budget. */
export type WorkPlan = {
  rules: WorkOrderRules;
  tasks: { id: string; needs: string[]; isDone: boolean }[];
  budgetUsd: number | null;
  /** Somebody moves the branch when all tasks have ended. */
  isMovedAtEnd: boolean;
};

/** One thing that happens. `answer` answers one of the effects in flight, in one of several ways. */
export type WorkMove =
  | { kind: "answer"; which: number; how: AnswerHow }
  | { kind: "progress"; which: number; usd: number; isEnding: boolean }
  | { kind: "ask"; request: Request }
  | { kind: "stale"; back: number }
  | { kind: "crash"; isStepLost: boolean; isCancelled: boolean; more: number | null };

type AnswerHow = {
  end: OutcomeName;
  isRejected: boolean;
  isGood: boolean;
  isBroken: boolean;
  isMoved: boolean;
  usd: number;
};

/** What one observation did. `isLost`: the driver died before it was stored. */
export type WorkWalkStep = {
  before: WorkState;
  observation: WorkObservation;
  after: WorkState;
  effects: WorkEffect[];
  isLost: boolean;
};

const ids = ["a", "b", "c", "d"];

/** Work runs of every shape. */
export const anyPlan: fc.Arbitrary<WorkPlan> = fc
  .record({
    count: fc.integer({ min: 1, max: 4 }),
    needs: fc.array(fc.nat(15), { minLength: 4, maxLength: 4 }),
    done: fc.nat(15),
    roles: fc.constantFrom<Role[]>(["coder"], ["coder", "reviewer"], ["coder", "reviewer", "tester"], ["reviewer"]),
    rounds: fc.integer({ min: 1, max: 2 }),
    jobs: fc.integer({ min: 1, max: 3 }),
    hasWorktrees: fc.boolean(),
    gates: fc.integer({ min: 0, max: 3 }),
    budgetUsd: fc.constantFrom(null, null, 3),
    isMovedAtEnd: fc.boolean(),
  })
  .map(({ count, needs, done, gates, jobs, hasWorktrees, budgetUsd, isMovedAtEnd, ...rest }) => ({
    rules: { ...rest, hasWorktrees, jobs: hasWorktrees ? jobs : 1, gates: gatesOf(gates) },
    tasks: ids.slice(0, count).map((id, index) => ({
      id,
      needs: ids.slice(0, index).filter((_, other) => (((needs[index] ?? 0) >> other) & 1) === 1 && other % 2 === 0),
      isDone: index === 0 && done === 0,
    })),
    budgetUsd,
    isMovedAtEnd,
  }));

function gatesOf(count: number): Gate[] {
  return Array.from({ length: count }, (_, index) => {
    const when = index === 2 ? ("on-claim" as const) : ("every-turn" as const);
    return toyGate(`gate-${index}`, { when });
  });
}

const anyHow: fc.Arbitrary<AnswerHow> = fc.record({
  end: fc.constantFrom<OutcomeName>(
    ...Array<OutcomeName>(8).fill("completed"),
    "exhausted",
    "waiting",
    "failed",
    "stopped",
    "interrupted",
    "cancelled",
  ),
  isRejected: fc.boolean(),
  isGood: fc.oneof(fc.constant(true), fc.constant(true), fc.boolean()),
  isBroken: fc.nat(19).map((chance) => chance === 0),
  isMoved: fc.nat(29).map((chance) => chance === 0),
  usd: fc.integer({ min: 0, max: 2 }),
});

/** Any move; answers are the most frequent, so that work runs get somewhere. */
export const anyWorkMove: fc.Arbitrary<WorkMove> = fc.oneof(
  { weight: 14, arbitrary: fc.record({ kind: fc.constant("answer" as const), which: fc.nat(5), how: anyHow }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("progress" as const),
      which: fc.nat(5),
      usd: fc.integer({ min: 0, max: 3 }),
      isEnding: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("ask" as const),
      request: fc.constantFrom<Request>("cancel", "pause", "pause", "go-on", "go-on", "interrupt", "interrupt-now"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("stale" as const), back: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("crash" as const),
      isStepLost: fc.boolean(),
      isCancelled: fc.nat(9).map((chance) => chance === 0),
      more: fc.constantFrom(null, null, 2),
    }),
  },
);

type InFlight = Exclude<WorkEffect, { type: "tell-role" | "cut-role" | "cut" | "end-run" }>;

/** The world around the engine: what is in flight, how tasks stand in their store, and every role run. */
type World = {
  inFlight: Map<number, InFlight>;
  told: Map<number, Outcome>;
  standings: Map<string, NonNullable<FoundTask["standing"]>>;
  runs: Map<string, FoundRole>;
  seen: WorkObservation[];
  requests: number;
  branch: WalkedBranch;
};

const good: AnswerHow = { end: "completed", isRejected: false, isGood: true, isBroken: false, isMoved: false, usd: 0 };

/** Plays the moves against `decideWork`, then lets the world answer until the work run ends. Every step is recorded. */
export function walkWork(
  decide: DecideWork,
  plan: WorkPlan,
  moves: readonly WorkMove[],
): { steps: WorkWalkStep[]; isEnded: boolean } {
  const steps: WorkWalkStep[] = [];
  const world = worldOf(plan);
  let state = newWork({ ...plain, kind: "work", iterationsMax: null, budgetUsd: plan.budgetUsd });
  let upMs = 0;
  const see = (news: WorkNews): void => {
    upMs += 1;
    const observation = { ...news, at: 10_000 + upMs, upMs };
    const before = structuredClone(state);
    const [after, effects] = decide(state, observation);
    steps.push({ before, observation, after, effects, isLost: false });
    world.seen.push(observation);
    state = after;
    publish(world, state);
    effects.forEach((effect) => perform(world, effect));
  };
  see({ type: "work-started", rules: plan.rules, tasks: foundTasks(world, plan), ...tipOf(plan) });
  for (const move of moves) {
    if (move.kind === "ask") see({ type: "asked", request: move.request, seq: (world.requests += 1) });
    if (move.kind === "answer") answerOne(world, { which: move.which, how: move.how, see });
    if (move.kind === "progress") progress(world, move, see);
    if (move.kind === "stale") stale(world, move.back, see);
    if (move.kind === "crash") {
      const last = steps.at(-1);
      if (move.isStepLost && last !== undefined && last.observation.type !== "work-resumed") {
        last.isLost = true;
        state = last.before;
        for (const effect of last.effects)
          if (effect.type === "start-role" && effect.start.kind === "new") world.runs.delete(effect.runId);
      }
      see(resumed(world, plan, move));
    }
  }
  if (state.isPauseAsked) see({ type: "asked", request: "go-on", seq: (world.requests += 1) });
  for (let round = 0; round < roundsMax && state.outcome === null; round += 1)
    answerOne(world, { which: 0, how: { ...good, isMoved: plan.isMovedAtEnd && isClosing(state) }, see });
  return { steps, isEnded: state.outcome !== null };
}

function isClosing({ work }: WorkState): boolean {
  return work.closingId !== undefined;
}

/** Generous: four tasks, three roles, three rounds, and a tip with three gates each. */
const roundsMax = 300;

function worldOf({ tasks }: WorkPlan): World {
  const standings = tasks.map(
    ({ id, isDone }) => [id, { status: isDone ? ("done" as const) : ("ready" as const), progress: null }] as const,
  );
  return {
    inFlight: new Map(),
    told: new Map(),
    standings: new Map(standings),
    runs: new Map(),
    seen: [],
    requests: 0,
    branch: { head: "head", merges: new Map() },
  };
}

/** Where tasks are merged, the branch that they are merged into. */
function tipOf({ rules }: WorkPlan): { tip?: BranchTip } {
  return rules.hasWorktrees ? { tip: { branch: "main", commit: "head" } } : {};
}

function foundTasks({ standings }: World, { tasks, rules }: WorkPlan): FoundTask[] {
  return tasks.map(({ id, needs }) => ({
    id,
    dependencies: needs,
    iteration: 0,
    standing: standings.get(id) ?? null,
    isKept: true,
    place: rules.hasWorktrees ? { path: `/trees/${id}`, branch: `ralph/${id}` } : null,
  }));
}

/** How tasks stand is stored before anything happens, as the driver does it. */
function publish({ standings }: World, state: WorkState): void {
  for (const task of state.work.tasks) {
    const standing = standingOf(state, task);
    if (standing !== null) standings.set(task.id, { status: standing.status, progress: standing.progress });
  }
}

function perform(world: World, effect: WorkEffect): void {
  const cancelled: Outcome = { name: "cancelled", reason: "asked" };
  switch (effect.type) {
    case "tell-role":
      if (effect.request === "cancel") world.told.set(effect.effectId, cancelled);
      return;
    case "cut-role":
      world.told.set(effect.effectId, effect.because);
      return;
    case "cut":
      world.told.set(effect.effectId, { name: "interrupted", reason: "cut" });
      return;
    case "end-run":
      world.inFlight.clear();
      return;
    case "start-role":
      if (!world.runs.has(effect.runId)) world.runs.set(effect.runId, unbegun(effect));
      if (effect.start.kind === "cancel") world.told.set(effect.id, cancelled);
      world.inFlight.set(effect.id, effect);
      return;
    case "open-place":
    case "find-tip":
    case "merge-task":
    case "compare-tip":
    case "verify-tip":
    case "undo-merge":
    case "clear-place":
    case "set-timer":
      world.inFlight.set(effect.id, effect);
  }
}

function unbegun({ runId, taskId }: Extract<WorkEffect, { type: "start-role" }>): FoundRole {
  return { runId, taskId, iteration: 0, spend: noSpend, usedMs: 0, end: null };
}

type See = (news: WorkNews) => void;

/** Timers come last: something else happens in fifteen seconds. */
function answerOne(world: World, { which, how, see }: { which: number; how: AnswerHow; see: See }): void {
  const waiting = Array.from(world.inFlight.values()).toSorted(
    (one, other) => Number(one.type === "set-timer") - Number(other.type === "set-timer"),
  );
  const effect = waiting[which % Math.max(1, waiting.length)];
  if (effect === undefined) return;
  world.inFlight.delete(effect.id);
  see(answerTo(world, effect, how));
}

function answerTo(world: World, effect: InFlight, how: AnswerHow): WorkNews {
  const effectId = effect.id;
  if (how.isBroken && effect.type !== "set-timer") {
    const run = effect.type === "start-role" ? world.runs.get(effect.runId) : undefined;
    if (run !== undefined) world.runs.set(run.runId, { ...run, end: endOf({ name: "failed", reason: "broken" }, how) });
    return { type: "operation-failed", effectId, reason: "broken" };
  }
  const problem = how.isGood ? null : "no";
  // Somebody moves the branch.
  if (how.isMoved && effect.type !== "set-timer") world.branch.head = `moved-${effectId}`;
  switch (effect.type) {
    case "open-place":
      return {
        type: "place-opened",
        effectId,
        place: { projectDir: "/", startCommit: null },
        runId: `run-${effectId}`,
      };
    case "start-role":
      return endRole(world, effect, how);
    case "find-tip":
      return {
        type: "tip-found",
        effectId,
        head: world.branch.head,
        place: placeOf(world.branch, effect.taskId, effect.verified ?? []),
      };
    case "merge-task":
      return { type: "task-merged", effectId, problem, ...mergeOf(world.branch, effect, problem === null) };
    case "compare-tip": {
      const place = placeOf(world.branch, effect.taskId, effect.verified);
      return { type: "tip-compared", effectId, place, foreign: how.isGood ? [] : ["foreign.txt"] };
    }
    case "verify-tip":
      return { type: "gate-finished", effectId, said: how.isGood ? null : "red", ...gateAnswer(world, effectId, how) };
    case "undo-merge":
      return {
        type: "merge-undone",
        effectId,
        problem,
        tip: problem === null ? takeBack(world.branch, effect.merge) : null,
      };
    case "clear-place":
      return { type: "place-cleared", effectId };
    case "set-timer":
      return { type: "timer-fired", effectId };
  }
}

function endRole(world: World, effect: Extract<WorkEffect, { type: "start-role" }>, how: AnswerHow): WorkNews {
  const outcome = world.told.get(effect.id) ?? { name: how.end, reason: how.end };
  const before = world.runs.get(effect.runId) ?? unbegun(effect);
  const spend = { ...noSpend, usd: (before.spend.usd ?? 0) + how.usd };
  const use = { taskId: effect.taskId, iteration: before.iteration + 1, spend, usedMs: 1 };
  const end = endOf(outcome, how, effect.progress.role);
  world.runs.set(effect.runId, { runId: effect.runId, ...use, end });
  return { type: "role-ended", effectId: effect.id, use, end };
}

function endOf(outcome: Outcome, how: AnswerHow, role: Role = allRoles[0]): NonNullable<FoundRole["end"]> {
  const isRejection = outcome.name === "waiting" && how.isRejected && role !== "coder";
  return { outcome, rejected: isRejection ? "again" : null, checks: [] };
}

function gateAnswer({ told }: World, effectId: number, how: AnswerHow): GateAnswer {
  if (told.has(effectId)) return cutAnswer();
  if (how.end === "failed") return { ...plainAnswer([]), stop: { name: "failed", reason: "nobody to ask" } };
  return plainAnswer([verdictOf(true), verdictOf(how.isGood)], { ...noSpend, usd: how.usd });
}

function progress(world: World, { which, usd, isEnding }: Extract<WorkMove, { kind: "progress" }>, see: See): void {
  const playing = Array.from(world.inFlight.values()).filter((effect) => effect.type === "start-role");
  const effect = playing[which % Math.max(1, playing.length)];
  if (effect === undefined) return;
  const before = world.runs.get(effect.runId) ?? unbegun(effect);
  const use = {
    taskId: effect.taskId,
    iteration: before.iteration + 1,
    spend: { ...noSpend, usd: (before.spend.usd ?? 0) + usd },
    usedMs: 1,
  };
  world.runs.set(effect.runId, { runId: effect.runId, ...use, end: null });
  see({ type: "role-progressed", effectId: effect.id, use, isEnding });
}

/** Something that was answered before is answered again. */
function stale({ seen, inFlight }: World, back: number, see: See): void {
  const answers = seen.filter((each) => "effectId" in each && !inFlight.has(each.effectId));
  const again = answers.at(-back);
  if (again === undefined) return;
  const { at: _at, upMs: _upMs, ...news } = again;
  see(news);
}

/** The driver died: nothing is in flight any more, and what stands in the store is found. */
function resumed(world: World, plan: WorkPlan, move: Extract<WorkMove, { kind: "crash" }>): WorkNews {
  world.inFlight.clear();
  world.told.clear();
  return {
    type: "work-resumed",
    rules: plan.rules,
    tasks: foundTasks(world, plan),
    roles: Array.from(world.runs.values()),
    help: { answer: null, more: move.more },
    change: move.more === null ? {} : { budgetUsd: null },
    missed: { isCancelAsked: move.isCancelled, lastSeq: world.requests },
    ...(plan.rules.hasWorktrees ? { tip: { branch: "main", commit: world.branch.head } } : {}),
  };
}
