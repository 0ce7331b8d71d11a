import { cleanText } from "../text/clean-text.ts";
import { truncateText } from "../text/truncate.ts";

/** What is known before a turn of a supervised task: DONE is there, it waits without a restart, or the turn is only a look. */
export type BeforeTurn = { isDone: boolean; isWaiting: boolean; isRecheck: boolean };

/** Whether no agent is started: the task has its claim or waits, or nobody asked for a turn (S3-05). */
export function isTurnSkipped({ isDone, isWaiting, isRecheck }: BeforeTurn): boolean {
  return isDone || isWaiting || isRecheck;
}

/**
 * Whether a DONE from before the run is removed: only where `--fresh` says so, and only while no turn of this run has begun, so
 * that none of its agents can have made it (CW-3G).
 */
export function isStaleDoneRemoved(run: { isFresh: boolean; isUnbegun: boolean; iteration: number }): boolean {
  return run.isFresh && run.isUnbegun && run.iteration === 1;
}

/** A DONE that is newer than the run is somebody's claim. */
export function isDoneStale(doneAt: number, runCreatedAt: number): boolean {
  return doneAt <= runCreatedAt;
}

/** Whether the prompt tells the agent to continue: an agent was at work on the task before (CW-3I). */
export function isRestart({ iteration, isResumed }: { iteration: number; isResumed: boolean }): boolean {
  return iteration > 1 || isResumed;
}

/** The exit code by which an agent asks not to be started again. */
const waitExitCode = 42;

/** The type of the message by which it does. */
const waitType = "wait_without_restart";

/** Enough for a sentence; the whole text stays where the agent wrote it. */
const wordsCharsMax = 300;

/** Why a task waits whose folder has the file that asks for it, in the words of that file. */
export function waitsByFile(content: string): string {
  return waits(content, "the file WAIT_WITHOUT_RESTART");
}

/** Why a task waits whose agent ended with an exit code, with the last words of its standard error; null: it does not. */
export function waitsByExitCode(exitCode: number | null, errorOutput: string): string | null {
  if (exitCode !== waitExitCode) return null;
  const last = errorOutput.trim().split("\n").at(-1) ?? "";
  return waits(last, `exit code ${waitExitCode}`);
}

/** Whether a message on the bus asks not to be started again; one from before the turn belongs to an earlier run (CW-3C). */
export function isWaitMessage({ type, at }: { type: string; at: string }, turnStartedAt: number): boolean {
  return type.toLowerCase() === waitType && Date.parse(at) >= turnStartedAt;
}

/** Why a task waits that such a message asks for, in its words. */
export function waitsByMessage({ id, body }: { id: string; body: string }): string {
  return waits(body, `message ${id} on the bus`);
}

/** One sentence: the first line of the agent's words and how it asked; only how, where it said nothing. */
function waits(words: string, how: string): string {
  const [line = ""] = cleanText(words).trim().split("\n");
  return line === "" ? `waits: ${how}` : `waits: ${truncateText(line.trimEnd(), wordsCharsMax, "head")} (${how})`;
}

/** Whether a resume removes the file that makes a task wait: the person who resumes has seen to what it waited for (CW-3C). */
export function isWaitOver(outcome: string | null, isCancelAsked: boolean): boolean {
  return outcome === "waiting" && !isCancelAsked;
}

/** Whether the wait for children is over: all are gone, also those born meanwhile, or its time is. */
export function nextWait(active: number, leftMs: number): "gone" | "timeout" | "wait" {
  if (active === 0) return "gone";
  return leftMs <= 0 ? "timeout" : "wait";
}

/** Whether children that outlive the wait are ended (CW-3E). */
export function areChildrenEnded(onChildTimeout: "terminate" | "orphan"): boolean {
  return onChildTimeout === "terminate";
}
