import { noSpend, type Spend } from "../../src/core/agents/spend.ts";
import { emptyReport, type TurnReport } from "../../src/core/agents/turn-report.ts";
import type { Verdict } from "../../src/core/checks/verdict.ts";
import { type ClaimReport, noClaims } from "../../src/core/claims/claim-report.ts";
import { decide } from "../../src/core/engine/decide.ts";
import type { Effect } from "../../src/core/engine/effect.ts";
import type { Moment, Observation, Request } from "../../src/core/engine/observation.ts";
import type { Policy, PolicyChange } from "../../src/core/engine/policy.ts";
import { newRun, type RunState } from "../../src/core/engine/state.ts";
import type { Assignment, TaskListState } from "../../src/core/tasks/task-list-state.ts";

/** A plain run: three iterations, no gate but the claim, no waits. Rows name only what differs. */
export const plain: Policy = {
  kind: "run",
  iterationsMax: 3,
  completionText: "DONE",
  signals: ["promise", "response"],
  requireProgress: false,
  guardrailCount: 0,
  criterionCount: 0,
  hasDelivery: false,
  hasFinalDelivery: false,
  hasTasks: false,
  hasBaseline: false,
  canReject: false,
  emptyTurnsMax: null,
  hasChildren: false,
  hasMarkers: false,
  restartDelayMs: 0,
  turnIdleMs: 1000,
  turnWallMs: null,
  resultGraceMs: 10,
  guardrailWallMs: 700,
  criterionWallMs: 800,
  childrenWallMs: 900,
  retryDelayMs: 0,
  failuresMax: 5,
  unchangedMax: null,
  budgetUsd: null,
  budgetTokens: null,
  budgetMs: null,
  settling: null,
  context: "reset",
  seed: 1,
};

/** Every gate there is, so that the whole order of an iteration shows. */
export const allGates: Partial<Policy> = {
  guardrailCount: 2,
  criterionCount: 1,
  hasDelivery: true,
  hasTasks: true,
  hasChildren: true,
};

type Without<Each, Keys extends PropertyKey> = Each extends unknown ? Omit<Each, Keys> : never;
type News = Without<Observation, keyof Moment>;

/** Something that happens: news made for the effect in flight, after some time. */
export type Move = { news: (pendingId: number) => News[]; passMs: number; clockShiftMs?: number };

/** What became of a run: its state, every order given, and the same orders in words. */
export type Played = { state: RunState; effects: Effect[]; orders: string[] };

/** Starts a run and lets the moves happen to it. The wall clock begins at `startAt`. */
export function play(change: Partial<Policy>, ...moves: Move[]): Played {
  const begun = { state: newRun({ ...plain, ...change }), effects: [], orders: [] };
  return goOn(begun, { news: () => [{ type: "run-started" }], passMs: 0 }, ...moves);
}

/** Lets more happen to a run. */
export function goOn(played: Played, ...moves: Move[]): Played {
  let { state } = played;
  const effects = [...played.effects];
  let upMs = state.lastUpMs;
  for (const { news, passMs, clockShiftMs = 0 } of moves) {
    upMs += passMs;
    for (const each of news(state.pending?.id ?? 0)) {
      const [next, orders] = decide(state, { ...each, at: startAt + upMs + clockShiftMs, upMs });
      state = next;
      effects.push(...orders);
    }
  }
  return { state, effects, orders: effects.map(inWords) };
}

/** When every played run begins. */
export const startAt = Date.UTC(2026, 10, 15, 12, 0, 0);

/** A turn that starts and ends well; its report says what differs. */
export function turn(report: Partial<TurnReport> = {}): Move {
  return move((effectId) => [started(effectId), ended(effectId, report)]);
}

/** A turn that ends well with these claims. */
export function claiming(claims: Partial<ClaimReport>): Move {
  return turn({ claims: { ...noClaims, ...claims } });
}

/** A turn that promises to be done. */
export const done = claiming({ isPromised: true });

/** A turn that fails without a word. */
export const failing = turn({ exitCode: 1, result: "none" });

/** Only the start of a turn. */
export const turnStarts = move((effectId) => [started(effectId)]);

/** Only the end of a turn: what a failed start, or a turn started before, reports. */
export function turnEnds(report: Partial<TurnReport> = {}): Move {
  return move((effectId) => [ended(effectId, report)]);
}

/** Spend seen while a turn is at work. */
export function progress(spend: Partial<Spend>, sessionId: string | null = null): Move {
  return move((effectId) => [{ type: "turn-progressed", effectId, spend: { ...noSpend, ...spend }, sessionId }]);
}

/** The checks in flight answer, one exit code each. */
export function checks(...exitCodes: number[]): Move {
  const verdicts = exitCodes.map(verdict);
  return move((effectId) => [{ type: "checks-finished", effectId, verdicts, isCut: false, spend: noSpend }]);
}

/** The delivery in flight answers. */
export function delivered(problem: string | null = null, spend: Spend = noSpend): Move {
  const commit = problem === null ? "c0ffee" : null;
  return move((effectId) => [{ type: "delivery-finished", effectId, isCut: false, commit, problem, spend }]);
}

/** The task list was read. */
export function tasks(isComplete: boolean, ...violations: string[]): Move {
  return repaired({ isComplete, violations });
}

/** The task list was read; its answer says what differs. */
export function repaired(answer: Partial<Repaired>): Move {
  return move((effectId) => [{ ...nothingRepaired, ...answer, type: "tasks-repaired", effectId }]);
}

type Repaired = Extract<Observation, { type: "tasks-repaired" }>;

const nothingRepaired = { isComplete: false, violations: [], remark: null, stop: null, tasks: null };

/** A task list with this assignment. */
export function taskList(assignment: Assignment | null, head: string | null = null): TaskListState {
  return { copy: { text: "{}" }, assignment, head, dirty: { text: "{}" } };
}

/** The operation in flight was cut. */
export function isCutOff(type: "turn" | "checks" | "delivery" | "tasks"): Move {
  return move((effectId) => {
    if (type === "turn") return [ended(effectId, { isCut: true, exitCode: null, signal: "SIGTERM", result: "none" })];
    if (type === "checks") return [{ type: "checks-finished", effectId, verdicts: [], isCut: true, spend: noSpend }];
    if (type === "tasks") return [{ ...nothingRepaired, type: "tasks-repaired", effectId }];
    return [{ type: "delivery-finished", effectId, isCut: true, commit: null, problem: null, spend: noSpend }];
  });
}

/** The wait is over. */
export const timerFires = move((effectId) => [{ type: "timer-fired", effectId }]);

/** A person or a signal asks. */
export function ask(request: Request, seq: number | null = null): Move {
  return move(() => [{ type: "asked", request, seq }]);
}

type Found = {
  answer?: string;
  lostSpend?: Spend;
  list?: TaskListState | null;
  missed?: Extract<Observation, { type: "run-resumed" }>["missed"];
};

/** The run is taken up again. */
export function resumed(
  change: PolicyChange = {},
  { answer, lostSpend = noSpend, missed = null, list = null }: Found = {},
): Move {
  const text = answer === undefined ? null : { text: answer };
  return move(() => [{ type: "run-resumed", lostSpend, answer: text, change, missed, tasks: list }]);
}

/** The same, after some time. */
export function after(passMs: number, later: Move): Move {
  return { ...later, passMs };
}

/** The same, seen with a wall clock that somebody has set. */
export function withClockSet(clockShiftMs: number, shifted: Move): Move {
  return { ...shifted, clockShiftMs };
}

/** A result of a check; its name tells its place. */
export function verdict(exitCode: number, index = 0): Verdict {
  return {
    index,
    name: `check ${index}`,
    isPassed: exitCode === 0,
    exitCode,
    isTimedOut: false,
    durationMs: 5,
    reason: exitCode === 0 ? "passed" : `check ${index} exited with code ${exitCode}`,
    output: { text: `output ${index}` },
    logFile: `.ralph/guardrail_001_check_${index}.log`,
  };
}

export function move(news: Move["news"]): Move {
  return { news, passMs: 0 };
}

function started(effectId: number): News {
  return { type: "turn-started", effectId, pid: 100 + effectId, startTime: "7" };
}

function ended(effectId: number, report: Partial<TurnReport>): News {
  return { type: "turn-ended", effectId, report: { ...emptyReport, exitCode: 0, result: "success", ...report } };
}

/** An order as a row of a table shows it. */
function inWords(effect: Effect): string {
  switch (effect.type) {
    case "begin-turn":
      return `turn ${effect.iteration}`;
    case "run-checks":
      return effect.of;
    case "deliver":
      return effect.of === "completion" ? "deliver finally" : "deliver";
    case "repair-tasks":
      return "tasks";
    case "set-timer":
      return `wait for ${effect.reason}`;
    case "cut":
      return "cut";
    case "end-run":
      return effect.outcome.name;
  }
}
