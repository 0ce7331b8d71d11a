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
  /** Why the task waits without a restart, as a sentence with the words of the exit code, wait file or bus message; or null. */
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
  /** Both ends of what the program wrote on standard error: shown to people, never judged. */
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
  if (!isFailedTurn(report)) return report.supervised?.waiting ?? "ended";
  if (report.failure !== null) return `failed: ${report.failure.message}`;
  if (report.timedOut !== null) return `ended by the ${report.timedOut} timeout`;
  const how = report.signal === null ? `failed with exit code ${report.exitCode}` : `ended by ${report.signal}`;
  const cause = causeOf(report.errorOutput);
  return cause === null ? how : `${how}: ${cause}`;
}

/** What people need to see of a failed program's standard error besides `describeTurnEnd`: its first lines. */
export function errorLines(report: TurnReport): string[] {
  const lines = isFailedTurn(report) ? linesOf(report.errorOutput) : [];
  const isSaid = report.failure === null && report.startError === null && lines.length === 1;
  return isSaid ? [] : lines.slice(0, errorLinesMax).map((line) => cutLine(line));
}

/** Enough for a message with its usage hint, few enough for a screen. */
const errorLinesMax = 5;
const lineCharsMax = 300;

/**
 * The first line that calls itself an error: help and stack traces follow it. Without one the cause may be the first line,
 * as of a script that continues after its failed command, or the last one: both are named.
 */
function causeOf(errorOutput: string): string | null {
  const lines = linesOf(errorOutput);
  const error = lines.find((each) => /^\s*(?:\w*error|fatal|panic)\b/i.test(each));
  const [first, ...more] = error === undefined ? lines : [error];
  if (first === undefined) return null;
  const last = more.at(-1);
  if (last === undefined) return cutLine(first.trim());
  return [first, last].map((line) => cutLine(line.trim(), lineCharsMax / 2)).join(more.length === 1 ? "; " : " … ");
}

function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trimEnd()]));
}

function cutLine(line: string, charsMax = lineCharsMax): string {
  return line.length > charsMax ? `${line.slice(0, charsMax)}…` : line;
}

/** A failed turn never completes. One that asks to wait without a restart did not fail: an exit code may be its request. */
export function isFailedTurn(report: TurnReport): boolean {
  const isWaitAsked = (report.supervised?.waiting ?? null) !== null;
  return isFailedEnd(report) && !isWaitAsked;
}

/** Whether the process ended as failed ones do. A successful result outweighs the exit code: the grace after it may end it. */
export function isFailedEnd(report: TurnReport): boolean {
  if (report.isSkipped) return false;
  if (report.startError !== null || report.result === "error") return true;
  if (report.result === "success") return false;
  // An agent ended by a signal may exit with 0; what its stream was missing tells.
  return report.exitCode !== 0 || report.timedOut !== null || report.failure !== null;
}
