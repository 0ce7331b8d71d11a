import type { Gate } from "../contract/gate.ts";
import type { RunKind } from "../contract/run-kind.ts";

/** Why the end of a host's turn is not yet believed. */
export type Unsettled = "error" | "background" | "silence";

/** How long a host's turn is left alone after such news, and the longest it may stay so. */
export type Settling = { waitMs: Record<Unsettled, number>; longestMs: number };

/** Every number and switch the engine decides by, frozen at start. Commands and texts stay in the frozen settings. */
export type Policy = {
  kind: RunKind;
  /** null: unbounded, allowed only with a time, spend or token budget. */
  iterationsMax: number | null;
  /** The text a claim must carry. */
  completionText: string;
  /** Which tags count. */
  signals: ("promise" | "response")[];
  /** A claim without any change since the run began is refused. */
  requireProgress: boolean;
  /**
   * What a claim is: a tag in the agent's words, the DONE file, the word of a gate that looks after a task list, or every
   * stop of a session without a loop; that run continues after a claim, because the session does.
   */
  claimBy: "tag" | "done-file" | "gate" | "stop";
  /** Every condition of done, in order. */
  gates: Gate[];
  /** Which contract the gates are: how often people changed it between turns, and its hash. */
  contract: { revision: number; hash: string };
  hasDelivery: boolean;
  /** Something is delivered once, after every gate is green: a pull request. */
  hasFinalDelivery: boolean;
  /** `<promise>REJECT: …</promise>` ends the run: the role sends the work back. */
  canReject: boolean;
  /** Turns in a row without any answer that stop the run, each repeated under its number; null: an empty turn counts. */
  emptyTurnsMax: number | null;
  turnIdleMs: number | null;
  turnWallMs: number | null;
  resultGraceMs: number;
  /** Between any two turns, failed or not. */
  restartDelayMs: number;
  /**
   * The restart delay ends with the time budget, and there is none after the last turn. Missing in supervised runs that
   * older versions stored: their journals contain such waits.
   */
  isRestartDelayBounded?: true;
  retryDelayMs: number;
  /** Failed turns in a row that stop the run; null: off. */
  failuresMax: number | null;
  /** Turns in a row without any change that stop the run, or refusals of a stop for one reason; null: off. */
  unchangedMax: number | null;
  budgetUsd: number | null;
  budgetTokens: number | null;
  budgetMs: number | null;
  /** Null where a turn is a process: its end is a fact. */
  settling: Settling | null;
  /** `continue` hands the agent's session on to the next turn. */
  context: "continue" | "reset";
  /** Seeds the jitter, so that `decide` stays deterministic. */
  seed: number;
};

/** What `ralph resume` may raise, and what people's edits of a task list change. */
export type PolicyChange = Partial<
  Pick<Policy, "iterationsMax" | "budgetUsd" | "budgetTokens" | "budgetMs" | "gates" | "contract">
>;
