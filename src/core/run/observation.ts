import type { Spend } from "../agents/spend.ts";
import type { TurnReport } from "../agents/turn-report.ts";
import type { TextRef, Verdict } from "../verification/verdict.ts";
import type { GateWord, Json } from "../contract/gate.ts";
import type { Revision } from "./revision.ts";
import type { GateStop, Outcome } from "./outcome.ts";
import type { PolicyChange, Unsettled } from "./policy.ts";
import type { RunBegin, RunStart } from "./state.ts";

/** When something was observed: wall clock for people, monotonic time of this driver for budgets. */
export type Moment = { at: number; upMs: number };

/** What a person, a signal or another command asks of a run. */
export type Request = "cancel" | "pause" | "go-on" | "interrupt" | "interrupt-now";

/**
 * News for the engine. Answers carry the id of the effect they answer.
 *
 * @example
 * ```ts
 * import { type Observation } from "ralph";
 *
 * const asked: Observation = { type: "asked", request: "pause", seq: null, at: Date.now(), upMs: performance.now() };
 * console.log(asked.type);
 * ```
 */
export type Observation = Moment &
  (
    | {
        type: "run-started";
        /** What the run begins with beside its policy: the journal must tell it. Absent: as `newRun(policy)`. */
        begin?: RunStart;
      }
    | {
        type: "run-resumed";
        /** Found in the raw stream of a turn that died with its driver. */
        lostSpend: Spend | null;
        answer: TextRef | null;
        change: PolicyChange;
        /** Requests made while nobody drove the run: a cancel still counts, an old pause does not. */
        missed: { isCancelAsked: boolean; lastSeq: number } | null;
        /** What the gates found as people left it; null when an agent was at work since they last ran. */
        begin: RunBegin | null;
        /** What people changed in the task list. */
        revision?: Revision;
      }
    | {
        type: "turn-started";
        effectId: number;
        pid: number;
        startTime: string;
        /** The PID namespace that the process made for the agent, where it made one. */
        ownNamespace?: string;
      }
    | { type: "turn-progressed"; effectId: number; spend: Spend; sessionId: string | null }
    | {
        type: "turn-ended";
        effectId: number;
        report: TurnReport;
        /** The tree that a delivery would commit now, fixed before the gates; absent outside git and without a claim. */
        candidate?: string | null;
      }
    | ({ type: "gate-finished"; effectId: number } & GateAnswer)
    | {
        type: "delivery-finished";
        effectId: number;
        isCut: boolean;
        /** The commit made, or null when there was nothing to commit or it failed. */
        commit: string | null;
        /** What went wrong, in one sentence; a failed push or pull request leaves the outcome as it is. */
        problem: string | null;
        /** The commit failed: what was checked is nowhere but in the work tree, so no claim completes the run. */
        isUncommitted?: boolean;
        spend: Spend;
        /** The tree that is delivered now; absent when nobody could tell. */
        tree?: string | null;
        /** Where it differs from the candidate. */
        differing?: string[];
      }
    | { type: "timer-fired"; effectId: number }
    /** The host of a session is not done with its turn, whatever it says within the next seconds. */
    | { type: "turn-unsettled"; because: Unsettled }
    /** During a wait something was said in the session: its turn is not over. */
    | { type: "turn-reopened" }
    /** `seq` numbers requests of other commands, so that each is heard once; signals have none. */
    | {
        type: "asked";
        request: Request;
        seq: number | null;
        /** With `interrupt-now`: what ends the run instead of a signal, as the work run it belongs to says it. */
        because?: Outcome;
        /** With `go-on`: what the gates found as people left it, and what people changed in the task list. */
        begin?: RunBegin;
        revision?: Revision;
        change?: PolicyChange;
      }
  );

/** What a gate found. */
export type GateAnswer = {
  /** At least one, unless it was cut or could not be asked (`stop`): a gate without a verdict is not green. */
  verdicts: Verdict[];
  isCut: boolean;
  spend: Spend;
  /** Why the run must end here: a review held at the cap, dependencies that never end. */
  stop: GateStop | null;
  /** The gate's memory from now on; null leaves it as it was. */
  slot: Json;
  /** Null for a gate that knows nothing beyond its verdicts. */
  word: GateWord | null;
};
