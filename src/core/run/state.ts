import { noSpend, type Spend } from "../agents/spend.ts";
import type { TurnReport } from "../agents/turn-report.ts";
import type { Verdict } from "../verification/verdict.ts";
import type { GateWord, Json } from "../contract/gate.ts";
import type { Attempt } from "./attempt.ts";
import type { Feedback } from "./feedback.ts";
import type { Assignment } from "../contract/assignment.ts";
import type { PendingEffect } from "./effect.ts";
import type { Outcome } from "./outcome.ts";
import type { Policy } from "./policy.ts";

/** What the iteration in progress has shown so far. Emptied when the next turn begins. */
export type IterationFacts = {
  report: TurnReport | null;
  /** By gate id. */
  verdicts: Record<string, Verdict[]>;
  /** By gate id, of gates that said more than their verdicts. */
  words: Record<string, GateWord>;
  /** A delivery was tried; it need not have committed anything. */
  isDelivered: boolean;
  /** The tree the verdicts speak for; null outside git and without a claim. */
  candidate: string | null;
  /** The gates are asked again, because another tree was delivered than they had seen. */
  isRecheck: boolean;
  /**
   * The claim is refused, because what is delivered is not what the gates saw, though they were asked again: the paths
   * that differ, or none when the commit failed.
   */
  unstablePaths: string[] | null;
};

/** A stop already decided; it takes effect when the operation in flight has answered. */
export type Ending = { outcome: Outcome };

/** Raised with every change of what is stored, and of rules that give other orders; `upgrade/` then gets one more step. */
export const runStateVersion = 7;

/**
 * Everything the engine remembers. Plain JSON; what is not here does not exist after a restart.
 *
 * @example
 * ```ts
 * import { newRun, parseSettings, runPolicy, type RunState } from "ralph";
 *
 * const left = ({ policy, iteration }: RunState): number => (policy.iterationsMax ?? Infinity) - iteration;
 * console.log(left(newRun(runPolicy(parseSettings([])))));
 * ```
 */
export type RunState = {
  version: typeof runStateVersion;
  policy: Policy;
  /** The iteration in progress, or the last one; it counts once its agent has started. */
  iteration: number;
  nextEffectId: number;
  /** The one effect in flight, or held back by a pause or an ended run. */
  pending: PendingEffect | null;
  isHeld: boolean;
  facts: IterationFacts;
  feedback: Feedback[];
  /** Why the last iteration's claim was refused; null when it claimed nothing. */
  refusal: string | null;
  /** The memory of gates, by gate id. */
  slots: Record<string, Json>;
  /** The role and the task of the next turn, in runs whose work is a list. */
  assignment: Assignment | null;
  /** False: no further turn has anything to do. */
  isWorkLeft: boolean;
  /** Gates that must run before the turn is left: an agent was, or may have been, at work since they last ran. */
  dueGates: string[];
  /** What continues once the due gates have run. */
  afterGates: { pending: PendingEffect | null; isHeld: boolean } | null;
  /** Checks before the first turn: they change words, never gates. */
  baseline: { name: string; isPassed: boolean }[] | null;
  /** The newest attempts, for the next prompt. */
  attempts: Attempt[];
  /** The process of the turn in flight, to end it after a crash, and the PID namespace that it made for the agent. */
  turnProcess: { pid: number; startTime: string; ownNamespace?: string } | null;
  failuresInRow: number;
  startFailuresInRow: number;
  limitWaitsInRow: number;
  unchangedInRow: number;
  /** Turns in a row that answered nothing at all. */
  emptyInRow: number;
  /** A change of tree or commits was seen since the run began. */
  isAnythingChanged: boolean;
  /** Outcome of the checks of the iteration before, to notice a change. */
  lastCheckResults: string;
  /** The host is not done with the turn: since when, and until when its end is not believed. */
  unsettled: { since: number; until: number } | null;
  /** The three newest iterations with verdicts, for views. */
  recentVerdicts: { iteration: number; isPassed: boolean; reason: string }[];
  sessionId: string | null;
  spend: Spend;
  /** Of the turn in flight; replaced by its report. */
  liveSpend: Spend;
  usedMs: number;
  lastUpMs: number;
  /** The newest request of another command that was heard. */
  lastRequestSeq: number;
  isCancelAsked: boolean;
  isPauseAsked: boolean;
  isInterruptAsked: boolean;
  ending: Ending | null;
  outcome: Outcome | null;
  deliveryProblem: string | null;
};

/** Nothing seen yet. */
export const noFacts: IterationFacts = {
  report: null,
  verdicts: {},
  words: {},
  isDelivered: false,
  candidate: null,
  isRecheck: false,
  unstablePaths: null,
};

/** What a run begins with beside its policy: what its gates found before the first turn. */
export type RunBegin = Pick<RunState, "slots" | "assignment" | "isWorkLeft">;

/** The same, and `lastUpMs` where the program is older than the run: the time before is not used by the run. */
export type RunStart = Partial<RunBegin & Pick<RunState, "lastUpMs">>;

/** A run that continues with what was found meanwhile. What other gates remember stays. */
export function withBegin(state: RunState, begin: RunBegin | null | undefined): RunState {
  return begin === null || begin === undefined
    ? state
    : { ...state, ...begin, slots: { ...state.slots, ...begin.slots } };
}

const plainBegin: RunBegin = { slots: {}, assignment: null, isWorkLeft: true };

/**
 * A run before its first observation.
 *
 * @example
 * ```ts
 * import { newRun, parseSettings, runPolicy } from "ralph";
 *
 * const state = newRun(runPolicy(parseSettings([{ source: "example", value: { maximumIterations: 3 } }])));
 * console.log(state.policy.iterationsMax); // 3
 * ```
 */
export function newRun(policy: Policy, begin: RunBegin = plainBegin): RunState {
  return {
    version: runStateVersion,
    policy,
    iteration: 0,
    nextEffectId: 1,
    pending: null,
    isHeld: false,
    facts: noFacts,
    feedback: [],
    refusal: null,
    ...begin,
    dueGates: [],
    afterGates: null,
    baseline: null,
    attempts: [],
    turnProcess: null,
    failuresInRow: 0,
    startFailuresInRow: 0,
    limitWaitsInRow: 0,
    unchangedInRow: 0,
    emptyInRow: 0,
    isAnythingChanged: false,
    lastCheckResults: "",
    unsettled: null,
    recentVerdicts: [],
    sessionId: null,
    spend: noSpend,
    liveSpend: noSpend,
    usedMs: 0,
    lastUpMs: 0,
    lastRequestSeq: 0,
    isCancelAsked: false,
    isPauseAsked: false,
    isInterruptAsked: false,
    ending: null,
    outcome: null,
    deliveryProblem: null,
  };
}
