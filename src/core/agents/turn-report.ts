import { type ClaimReport, noClaims } from "../claims/claim-report.ts";
import type { Failure } from "./agent-event.ts";
import { noSpend, type Spend } from "./spend.ts";

/** Why an agent program could not be started at all. */
export type StartError = {
  /** `resources` may pass (too many processes, no memory); the others will not. */
  kind: "not-found" | "not-executable" | "bad-directory" | "prompt" | "sign-in" | "task-file" | "resources";
  message: string;
};

/** Files and exit codes by which a supervised agent speaks. */
export type SupervisedEnd = {
  /** DONE is there: the claim of a supervised task. */
  isDone: boolean;
  /** Why the task waits without a restart (exit code, wait file or bus message), or null. */
  waiting: string | null;
};

/**
 * Everything the engine learns of one turn: facts, no judgement.
 *
 * @example
 * ```ts
 * import { createStreamReader, type TurnReport } from "ralph";
 *
 * const hasClaimed = ({ claims }: TurnReport): boolean => claims.isPromised;
 * const reader = createStreamReader("command", { promise: "DONE" });
 * reader.push("It works.\n<promise>DONE</promise>\n");
 * console.log(hasClaimed(reader.end({ exitCode: 0 }).report)); // true
 * ```
 */
export type TurnReport = {
  startError: StartError | null;
  exitCode: number | null;
  signal: string | null;
  timedOut: "idle" | "wall" | null;
  /** Ended by our own order (cancel, second signal, budget). */
  isCut: boolean;
  /** SIGTERM was not enough. */
  isForced: boolean;
  /** The agent's own last closing word. */
  result: "success" | "error" | "none";
  failure: Failure | null;
  claims: ClaimReport;
  sessionId: string | null;
  spend: Spend;
  /** `changes` and `deniedChanges` count tools that can change files: edits and shell commands. */
  tools: { calls: number; errors: number; denied: number; deniedChanges: number; changes: number };
  /** What to add to the settings so that edits are allowed; from the adapter, when edits were denied. */
  deniedRemedy: string | null;
  /** Whether work tree or commits changed during the turn; null when nobody looked. */
  isTreeChanged: boolean | null;
  output: { bytes: number; lines: number; unparsedLines: number };
  /** The agent ended without a word and without a tool. */
  isEmpty: boolean;
  /** Null in runs that are not supervised. */
  supervised: SupervisedEnd | null;
  /** The DONE file or the wait file was there before the turn, or the turn only looked for them: no agent was started. */
  isSkipped: boolean;
  /** The end of what the program wrote on standard error: shown to people, never judged. */
  errorOutput: string;
  /** Processes of the turn that could not be ended. */
  survivors: number[];
};

/** A turn in which nothing happened; the starting point of reports. */
export const emptyReport: TurnReport = {
  startError: null,
  exitCode: null,
  signal: null,
  timedOut: null,
  isCut: false,
  isForced: false,
  result: "none",
  failure: null,
  claims: noClaims,
  sessionId: null,
  spend: noSpend,
  tools: { calls: 0, errors: 0, denied: 0, deniedChanges: 0, changes: 0 },
  deniedRemedy: null,
  isTreeChanged: null,
  output: { bytes: 0, lines: 0, unparsedLines: 0 },
  isEmpty: false,
  supervised: null,
  isSkipped: false,
  errorOutput: "",
  survivors: [],
};

/** How a turn ended, in a few words for people. */
export function describeTurnEnd(report: TurnReport): string {
  if (report.startError !== null) return `not started: ${report.startError.message}`;
  if (report.isCut) return "cut off";
  if (!isFailedTurn(report)) return "ended";
  if (report.failure !== null) return `failed: ${report.failure.message}`;
  if (report.timedOut !== null) return `ended by the ${report.timedOut} timeout`;
  const how = report.signal === null ? `failed with exit code ${report.exitCode}` : `ended by ${report.signal}`;
  const words = report.errorOutput.trim().split("\n").at(-1) ?? "";
  return words === "" ? how : `${how}: ${words}`;
}

/** A failed turn never completes. A successful result outweighs the exit code: the grace after it may end the process. */
export function isFailedTurn(report: TurnReport): boolean {
  if (report.isSkipped) return false;
  if (report.startError !== null || report.result === "error") return true;
  if (report.result === "success") return false;
  // An agent ended by a signal may exit with 0; what its stream was missing tells.
  return report.exitCode !== 0 || report.timedOut !== null || report.failure !== null;
}
