import * as fc from "fast-check";
import { noSpend } from "../../src/core/agents/spend.ts";
import { emptyReport, type TurnReport } from "../../src/core/agents/turn-report.ts";
import type { Verdict } from "../../src/core/verification/verdict.ts";
import { noClaims } from "../../src/core/claims/claim-report.ts";
import type { Gate } from "../../src/core/contract/gate.ts";
import type { Step } from "../../src/core/engine/orders.ts";
import type { Effect, PendingEffect } from "../../src/core/run/effect.ts";
import type { GateAnswer, Moment, Observation, Request } from "../../src/core/run/observation.ts";
import type { Policy, Unsettled } from "../../src/core/run/policy.ts";
import { newRun, type RunState } from "../../src/core/run/state.ts";
import { cutAnswer, plainAnswer } from "../../src/core/run/gate-answer.ts";

export type Decide = (state: RunState, observation: Observation) => Step;

/** One thing that happens to a run. `answer` answers whatever is in flight, in one of several ways. */
export type Move =
  | {
      kind: "answer";
      report: Partial<TurnReport>;
      isPassed: boolean;
      isComplete: boolean;
      tree: string | null;
      passMs: number;
    }
  | { kind: "progress"; usd: number; tokens: number }
  | { kind: "ask"; request: Request }
  | { kind: "stale"; back: number }
  | { kind: "crash"; moreIterations: number }
  | { kind: "unsettle"; because: Unsettled }
  | { kind: "reopen" };

type Answer = Extract<Move, { kind: "answer" }>;

/** What one observation did. */
export type WalkStep = { before: RunState; observation: Observation; after: RunState; effects: Effect[] };

const reports: Partial<TurnReport>[] = [
  { exitCode: 0, result: "success" },
  { exitCode: 0, result: "success", claims: { ...noClaims, isPromised: true } },
  { exitCode: 0, result: "success", claims: { ...noClaims, isPromised: true }, isTreeChanged: true },
  { exitCode: 0, result: "success", claims: { ...noClaims, response: "DONE" } },
  { exitCode: 0, result: "success", claims: { ...noClaims, response: "NOT YET", isPromised: true } },
  { exitCode: 0, result: "success", claims: { ...noClaims, wrongPromise: "OTHER" } },
  { exitCode: 0, result: "success", claims: { ...noClaims, isMentioned: true } },
  { exitCode: 0, result: "success", claims: { ...noClaims, blocked: "no key" } },
  { exitCode: 0, result: "success", claims: { ...noClaims, question: "which one?" } },
  { exitCode: 1, result: "error", claims: { ...noClaims, isPromised: true } },
  { exitCode: 0, result: "success", claims: { ...noClaims, isPromised: true, rejected: "no tests" } },
  { exitCode: 0, result: "success", isEmpty: true },
  { exitCode: 1, result: "none", claims: { ...noClaims, isPromised: true } },
  { exitCode: null, signal: "SIGKILL", result: "none" },
  { exitCode: null, timedOut: "idle", result: "none" },
  { exitCode: null, timedOut: "wall", result: "none" },
  { exitCode: 0, result: "success", isTreeChanged: false },
  { exitCode: 1, result: "error", failure: { kind: "authentication", message: "no", resetAt: null } },
  { exitCode: 1, result: "error", failure: { kind: "limit", message: "later", resetAt: 60_000 } },
  { exitCode: 1, result: "error", failure: { kind: "limit", message: "later", resetAt: null } },
  { exitCode: 0, result: "success", tools: { calls: 1, errors: 0, denied: 1, deniedChanges: 1, changes: 0 } },
  { exitCode: 0, result: "success", supervised: { isDone: true, waiting: null } },
  { exitCode: 1, result: "none", supervised: { isDone: true, waiting: "exit code 42" } },
  { exitCode: 42, result: "none", supervised: { isDone: false, waiting: "exit code 42" } },
  { isSkipped: true, supervised: { isDone: true, waiting: null } },
  { startError: { kind: "not-found", message: "claude was not found" } },
  { startError: { kind: "resources", message: "no more processes" } },
];

/** A gate of any shape. One that tells by notes is the gate of a list: it gives its word. */
const anyGate: fc.Arbitrary<Gate> = fc
  .record({
    when: fc.constantFrom<Gate["when"]>("before-first-turn", "every-turn", "every-turn", "on-claim"),
    isBeforeDelivery: fc.boolean(),
    isAlways: fc.boolean(),
    wallMs: fc.constantFrom(null, 1000),
    tells: fc.constantFrom<Gate["tells"]>("output", "reason", "notes"),
  })
  .map(({ wallMs, isAlways, ...shape }) => ({
    ...shape,
    id: "",
    kind: "toy",
    name: "",
    origin: "walk",
    isAlways: isAlways && shape.when === "every-turn",
    limits: { wallMs },
  }));

function inOrder(gates: Gate[]): Gate[] {
  return gates.map((gate, index) => ({ ...gate, id: `gate-${index}`, name: `gate ${index}` }));
}

/** Policies of every shape, all of them bounded. */
export const anyPolicy: fc.Arbitrary<Policy> = fc.record(
  {
    kind: fc.constant("run" as const),
    iterationsMax: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), fc.constant(null)),
    completionText: fc.constant("DONE"),
    signals: fc.constantFrom<Policy["signals"]>(["promise", "response"], ["promise"], ["response"]),
    requireProgress: fc.boolean(),
    claimBy: fc.constantFrom<Policy["claimBy"]>("tag", "tag", "tag", "gate", "done-file"),
    contract: fc.constant({ revision: 1, hash: "" }),
    gates: fc.array(anyGate, { maxLength: 6 }).map(inOrder),
    hasDelivery: fc.boolean(),
    hasFinalDelivery: fc.boolean(),
    canReject: fc.boolean(),
    emptyTurnsMax: fc.constantFrom(null, 2),
    restartDelayMs: fc.constantFrom(0, 1000),
    turnIdleMs: fc.constant(1000),
    turnWallMs: fc.constantFrom(null, 5000),
    resultGraceMs: fc.constant(10),
    retryDelayMs: fc.constantFrom(0, 1000),
    failuresMax: fc.constantFrom(null, 2, 5),
    unchangedMax: fc.constantFrom(null, 2),
    budgetUsd: fc.constantFrom(null, 5),
    budgetTokens: fc.constantFrom(null, 1000),
    // The walk passes at least a millisecond with each answer, so this ends runs without a limit of iterations.
    budgetMs: fc.constant(400),
    settling: fc.constantFrom(null, { waitMs: { error: 6, background: 3, silence: 9 }, longestMs: 40 }),
    context: fc.constantFrom("continue" as const, "reset" as const),
    seed: fc.nat(),
  },
  { noNullPrototype: true },
);

/** Any move; answers are the most frequent, so that runs get somewhere. */
export const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      report: fc.constantFrom(...reports),
      isPassed: fc.oneof(fc.constant(true), fc.constant(true), fc.boolean()),
      isComplete: fc.boolean(),
      tree: fc.constantFrom("a", "b", "a", "b", null),
      passMs: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("progress" as const),
      usd: fc.integer({ min: 0, max: 6 }),
      tokens: fc.integer({ min: 0, max: 1200 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("ask" as const),
      request: fc.constantFrom<Request>("cancel", "pause", "go-on", "go-on", "interrupt", "interrupt-now"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("stale" as const), back: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), moreIterations: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("unsettle" as const),
      because: fc.constantFrom<Unsettled>("error", "background", "silence"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const) }) },
);

/** Plays the moves against `decide`, then lets the world answer until the run ends. Every step is recorded. */
export function walk(decide: Decide, policy: Policy, moves: readonly Move[]): { steps: WalkStep[]; isEnded: boolean } {
  const steps: WalkStep[] = [];
  let state = newRun(policy);
  let upMs = 0;
  const see = (observation: Observation): void => {
    const before = structuredClone(state);
    const [after, effects] = decide(state, observation);
    steps.push({ before, observation, after, effects });
    state = after;
  };
  const moment = (): { at: number; upMs: number } => ({ at: 10_000 + upMs, upMs });
  const answer = (move: Answer): void => {
    upMs += move.passMs;
    if (state.pending === null || state.isHeld || state.outcome !== null) return;
    const isCut = state.ending !== null;
    const { pending } = state;
    const isTurn =
      pending.type === "begin-turn" &&
      !pending.isRecheck &&
      move.report.startError == null &&
      move.report.isSkipped !== true;
    if (isTurn) see({ type: "turn-started", ...moment(), effectId: pending.id, pid: 7, startTime: "1" });
    see(answerTo(policy, pending, move, { isCut, ...moment() }));
  };
  see({ type: "run-started", ...moment() });
  for (const move of moves) {
    if (move.kind === "answer") answer(move);
    if (move.kind === "ask") see({ type: "asked", ...moment(), request: move.request, seq: null });
    if (move.kind === "progress" && state.pending?.type === "begin-turn") {
      const spend = { ...noSpend, usd: move.usd, outputTokens: move.tokens };
      see({ type: "turn-progressed", ...moment(), effectId: state.pending.id, spend, sessionId: "s" });
    }
    if (move.kind === "unsettle") see({ type: "turn-unsettled", ...moment(), because: move.because });
    if (move.kind === "reopen") see({ type: "turn-reopened", ...moment() });
    // Older than the effect in flight, which may have an order to cut it behind it.
    if (move.kind === "stale") see(staleAnswer((state.pending?.id ?? state.nextEffectId - 1) - move.back, moment()));
    if (move.kind === "crash") {
      const more = policy.iterationsMax === null ? null : state.policy.iterationsMax! + move.moreIterations;
      see({
        type: "run-resumed",
        ...moment(),
        lostSpend: null,
        answer: null,
        change: { iterationsMax: more },
        missed: null,
        begin: null,
      });
    }
  }
  if (state.isPauseAsked) see({ type: "asked", ...moment(), request: "go-on", seq: null });
  for (let round = 0; round < roundsMax && state.outcome === null; round++)
    answer({ kind: "answer", report: reports[0]!, isPassed: true, isComplete: false, tree: null, passMs: 3 });
  return { steps, isEnded: state.outcome !== null };
}

/** Generous: 400 ms of budget at 3 ms an answer, at most nine answers an iteration. */
const roundsMax = 400;

function answerTo(
  policy: Policy,
  pending: PendingEffect,
  move: Answer,
  { isCut, ...moment }: Moment & { isCut: boolean },
): Observation {
  const answer = { ...moment, effectId: pending.id };
  switch (pending.type) {
    case "begin-turn":
      return {
        type: "turn-ended",
        ...answer,
        report: { ...reportOf(policy, pending, move.report), isCut },
        candidate: move.tree,
      };
    case "run-gate":
      return { type: "gate-finished", ...answer, ...gateAnswer(policy, pending.gate, move, isCut) };
    case "deliver":
      return {
        type: "delivery-finished",
        ...answer,
        isCut,
        commit: null,
        problem: null,
        spend: noSpend,
        tree: move.tree,
        differing: ["x"],
        isUncommitted: pending.of === "iteration" && !move.isComplete,
      };
    case "set-timer":
      return { type: "timer-fired", ...answer };
  }
}

/** A gate that always runs is never cut; one that tells by notes speaks for its list. */
function gateAnswer({ claimBy }: Policy, gate: Gate, move: Answer, isCut: boolean): GateAnswer {
  if (isCut && !gate.isAlways) return cutAnswer();
  const { isComplete, isPassed } = move;
  // A gate may say anything; only a task list steers the run.
  const claim = { isClaim: true, isWorkLeft: false, assignment: null, notes: [], remark: null };
  if (gate.tells !== "notes")
    return { ...plainAnswer(verdicts(gate, isPassed)), word: isComplete && claimBy !== "gate" ? claim : null };
  const assignment = isComplete ? null : { role: "implement" as const, taskId: "a" };
  // A list that allows no further turn says so.
  const stop = isPassed || isComplete ? null : { name: "waiting" as const, reason: "Held at the cap." };
  const notes = isPassed ? [] : ["undone"];
  const word = { isClaim: isComplete, isWorkLeft: assignment !== null, assignment, notes, remark: null };
  return { ...plainAnswer(verdicts(gate, true)), stop, slot: { copy: "{}" }, word };
}

/** Markers are looked for only where the policy has them; a look starts nothing. */
function reportOf(policy: Policy, pending: PendingEffect, report: Partial<TurnReport>): TurnReport {
  const supervised = policy.claimBy === "done-file" ? (report.supervised ?? { isDone: false, waiting: null }) : null;
  const isLook = pending.type === "begin-turn" && pending.isRecheck;
  if (isLook && policy.settling === null) return { ...emptyReport, supervised, isSkipped: true };
  return {
    ...emptyReport,
    ...report,
    supervised,
    isSkipped: policy.claimBy === "done-file" && report.isSkipped === true,
  };
}

/** Two verdicts, of which only the last one fails: a gate that looks at the first alone would let it through. */
function verdicts({ name }: Gate, isPassed: boolean): Verdict[] {
  return [true, isPassed].map((isGreen, index) => ({
    index,
    name,
    isPassed: isGreen,
    exitCode: isGreen ? 0 : 1,
    isTimedOut: false,
    durationMs: 1,
    reason: "",
    output: { text: "" },
    logFile: null,
  }));
}

function staleAnswer(effectId: number, moment: { at: number; upMs: number }): Observation {
  const report = { ...emptyReport, exitCode: 0, result: "success" as const, claims: { ...noClaims, isPromised: true } };
  return { type: "turn-ended", ...moment, effectId, report };
}
