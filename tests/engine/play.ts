import type { Outcome } from "../../src/core/run/outcome.ts";
import { noSpend, type Spend } from "../../src/core/agents/spend.ts";
import { emptyReport, type TurnReport } from "../../src/core/agents/turn-report.ts";
import type { Verdict } from "../../src/core/verification/verdict.ts";
import { type ClaimReport, noClaims } from "../../src/core/claims/claim-report.ts";
import type { Gate } from "../../src/core/contract/gate.ts";
import { decide } from "../../src/core/engine/decide.ts";
import type { Effect } from "../../src/core/run/effect.ts";
import type { GateAnswer, Moment, Observation, Request } from "../../src/core/run/observation.ts";
import type { Policy, PolicyChange } from "../../src/core/run/policy.ts";
import { newRun, type RunBegin, type RunState } from "../../src/core/run/state.ts";
import type { Assignment } from "../../src/core/contract/assignment.ts";

import { cutAnswer, plainAnswer } from "../../src/core/run/gate-answer.ts";

/** A plain run: three iterations, no gate but the claim, no waits. Rows name only what differs. */
export const plain: Policy = {
  kind: "run",
  iterationsMax: 3,
  completionText: "DONE",
  signals: ["promise", "response"],
  requireProgress: false,
  claimBy: "tag",
  gates: [],
  contract: { revision: 1, hash: "" },
  hasDelivery: false,
  hasFinalDelivery: false,
  canReject: false,
  emptyTurnsMax: null,
  restartDelayMs: 0,
  turnIdleMs: 1000,
  turnWallMs: null,
  resultGraceMs: 10,
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

/** A policy in short: how many gates of each sort it has. */
export type Shape = Partial<Policy> & {
  guardrails?: number;
  criteria?: number;
  hasTasks?: boolean;
  hasChildren?: boolean;
  hasBaseline?: boolean;
};

/** Every gate there is, so that the whole order of an iteration shows. */
export const allGates: Shape = {
  guardrails: 2,
  criteria: 1,
  hasDelivery: true,
  hasTasks: true,
  hasChildren: true,
};

/** The policy of a shape. Of a list's gate alone the claim comes from the list. */
export function policyOf({
  guardrails = 0,
  criteria = 0,
  hasTasks,
  hasChildren,
  hasBaseline,
  ...change
}: Shape): Policy {
  const list = hasTasks === true ? { claimBy: "gate" as const } : {};
  const every = numbered("guardrail", guardrails);
  const gates: Gate[] = [
    ...(hasBaseline === true
      ? every.map((gate) => ({ ...gate, id: `baseline-${gate.id}`, when: "before-first-turn" as const }))
      : []),
    ...every,
    ...(hasTasks === true ? [toyGate("task-list", { isAlways: true, tells: "notes" })] : []),
    ...numbered("criterion", criteria).map((each) => ({
      ...each,
      ...onClaim,
      limits: { wallMs: 800 },
      tells: "reason" as const,
    })),
    ...(hasChildren === true
      ? [toyGate("children", { ...onClaim, isBeforeDelivery: false, limits: { wallMs: 900 }, tells: "notes" })]
      : []),
  ];
  return { ...plain, ...list, gates, ...change };
}

/** A gate of every turn, unless `change` says otherwise. */
export function toyGate(id: string, change: Partial<Gate> = {}): Gate {
  return {
    id,
    kind: "toy",
    name: id,
    when: "every-turn",
    isBeforeDelivery: true,
    isAlways: false,
    origin: "test",
    limits: { wallMs: 700 },
    tells: "output",
    ...change,
  };
}

const onClaim = { when: "on-claim" as const };

function numbered(id: string, count: number): Gate[] {
  return Array.from({ length: count }, (_, index) => toyGate(`${id}-${index + 1}`));
}

type Without<Each, Keys extends PropertyKey> = Each extends unknown ? Omit<Each, Keys> : never;
type News = Without<Observation, keyof Moment>;

/** Something that happens: news made for the effect in flight, after some time. */
export type Move = { news: (pendingId: number) => News[]; passMs: number; clockShiftMs?: number };

/** What became of a run: its state, every order given, and the same orders in words. */
export type Played = { state: RunState; effects: Effect[]; orders: string[] };

/** Starts a run and lets the moves happen to it. The wall clock begins at `startAt`. */
export function play(shape: Shape, ...moves: Move[]): Played {
  const begun = { state: newRun(policyOf(shape)), effects: [], orders: [] };
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

/** The gate in flight and the ones ordered after it answer, one exit code each. */
export function checks(...exitCodes: number[]): Move {
  return move((effectId) =>
    exitCodes.map((exitCode, index) => ({
      ...plainAnswer([verdict(exitCode, index)]),
      type: "gate-finished",
      effectId: effectId + index,
    })),
  );
}

/** The delivery in flight answers. */
export function delivered(problem: string | null = null, spend: Spend = noSpend): Move {
  const commit = problem === null ? "c0ffee" : null;
  return move((effectId) => [{ type: "delivery-finished", effectId, isCut: false, commit, problem, spend }]);
}

/** The delivery in flight answers that its commit failed. */
export function notCommitted(problem: string): Move {
  const facts = { isCut: false, commit: null, problem, spend: noSpend, isUncommitted: true };
  return move((effectId) => [{ type: "delivery-finished", effectId, ...facts }]);
}

/** The delivery in flight answers with the tree that is delivered now. */
export function deliveredAs(tree: string, differing: string[] = []): Move {
  const facts = { isCut: false, commit: "c0ffee", problem: null, spend: noSpend };
  return move((effectId) => [{ type: "delivery-finished", effectId, ...facts, tree, differing }]);
}

/** A turn that promises to be done and leaves this tree to be checked. */
export function doneAs(candidate: string): Move {
  const report = { claims: { ...noClaims, isPromised: true } };
  return move((effectId) => [started(effectId), { ...ended(effectId, report), candidate }]);
}

/** The task list was read. */
export function tasks(isComplete: boolean, ...violations: string[]): Move {
  return repaired({ isComplete, violations });
}

/** The task list was read; its answer says what differs. */
export function repaired(answer: Partial<Repaired>): Move {
  return move((effectId) => [{ ...listAnswer(answer), type: "gate-finished", effectId }]);
}

type Repaired = {
  isComplete: boolean;
  violations: string[];
  remark: string | null;
  stop: GateAnswer["stop"];
  list: RunBegin | null;
};

/** What the gate of a task list answers. */
export function listAnswer({
  isComplete = false,
  violations = [],
  remark = null,
  stop = null,
  list,
}: Partial<Repaired>): GateAnswer {
  const isBroken = list === null && stop?.name === "failed";
  const { assignment, isWorkLeft } = list ?? { assignment: null, isWorkLeft: true };
  const word = { isClaim: isComplete, isWorkLeft, assignment, notes: violations, remark };
  const slot = list === undefined || list === null ? null : (list.slots["task-list"] ?? null);
  return {
    ...plainAnswer([verdict(isBroken ? 1 : 0)]),
    stop,
    slot: isBroken ? null : (slot ?? {}),
    word: isBroken ? null : word,
  };
}

/** What a run begins with whose task list has this assignment. */
export function taskList(assignment: Assignment | null, copy = "{}"): RunBegin {
  return { slots: { "task-list": { copy: { text: copy } } }, assignment, isWorkLeft: assignment !== null };
}

/** The operation in flight was cut. */
export function isCutOff(type: "turn" | "checks" | "delivery" | "tasks"): Move {
  return move((effectId) => {
    if (type === "turn") return [ended(effectId, { isCut: true, exitCode: null, signal: "SIGTERM", result: "none" })];
    if (type === "checks") return [{ ...cutAnswer(), type: "gate-finished", effectId }];
    if (type === "tasks") return [{ ...listAnswer({}), type: "gate-finished", effectId }];
    return [{ type: "delivery-finished", effectId, isCut: true, commit: null, problem: null, spend: noSpend }];
  });
}

/** The wait is over. */
export const timerFires = move((effectId) => [{ type: "timer-fired", effectId }]);

/** A person or a signal asks. */
export function ask(request: Request, seq: number | null = null, list?: RunBegin): Move {
  return move(() => [{ type: "asked", request, seq, ...(list === undefined ? {} : { begin: list }) }]);
}

/** The work run ends its role run for a reason of its own. */
export function endFor(because: Outcome): Move {
  return move(() => [{ type: "asked", request: "interrupt-now", seq: null, because }]);
}

type Found = {
  answer?: string;
  lostSpend?: Spend;
  list?: RunBegin | null;
  missed?: Extract<Observation, { type: "run-resumed" }>["missed"];
};

/** The run is taken up again. */
export function resumed(
  change: PolicyChange = {},
  { answer, lostSpend = noSpend, missed = null, list = null }: Found = {},
): Move {
  const text = answer === undefined ? null : { text: answer };
  return move(() => [{ type: "run-resumed", lostSpend, answer: text, change, missed, begin: list }]);
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

function ended(effectId: number, report: Partial<TurnReport>): Extract<News, { type: "turn-ended" }> {
  return { type: "turn-ended", effectId, report: { ...emptyReport, exitCode: 0, result: "success", ...report } };
}

/** An order as a row of a table shows it. */
function inWords(effect: Effect): string {
  switch (effect.type) {
    case "begin-turn":
      return `turn ${effect.iteration}`;
    case "run-gate":
      return gateWord(effect.gate);
    case "deliver":
      return effect.of === "completion" ? "deliver finally" : "deliver";
    case "set-timer":
      return `wait for ${effect.reason}`;
    case "cut":
      return "cut";
    case "end-run":
      return effect.outcome.name;
  }
}

/** The first gate of a sort stands for the sort, the others for themselves. */
function gateWord({ id, when }: Gate): string {
  if (when === "before-first-turn") return id.endsWith("-1") ? "baseline" : id;
  const words: Record<string, string> = {
    "guardrail-1": "guardrails",
    "criterion-1": "criteria",
    "task-list": "tasks",
  };
  return words[id] ?? id;
}
