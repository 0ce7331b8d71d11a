import { emptyReport, type TurnReport } from "../agents/turn-report.ts";
import { claimsInMessages } from "./detect-promise.ts";
import { continuationHeading, continuationPrompt } from "./loop/continuation-prompt.ts";
import { findContinuation, hasForeignPrompt, messagesSince, type SessionMessage, textOf } from "./session-message.ts";
import type { RalphLoopState } from "./loop/loop-state.ts";
import type { SessionRecord } from "./session-record.ts";

/** A session's messages; null when the host could not say. A failed read is not a claim (CW-0J). */
export type Messages = readonly SessionMessage[] | null;

/** The report of the iteration in progress: what its own messages claim, and whether it failed without a word. */
export function reportTurn(record: SessionRecord, messages: Messages): TurnReport {
  const own = messages === null ? [] : messagesSince(messages, markOf(record));
  const ended = { ...emptyReport, exitCode: 0, result: "success" as const, claims: claimsOf(record, own) };
  const isSilent = !own.some((message) => message.role === "assistant" && textOf(message).trim() !== "");
  if (record.hostError === null || !isSilent) return ended;
  return { ...ended, result: "error", failure: { kind: "other", message: record.hostError, resetAt: null } };
}

/** When the iteration in progress began: what was said before it is not of this turn. */
export function turnBeganAt({
  startedAt,
  lastIterationAt,
}: Pick<RalphLoopState, "startedAt" | "lastIterationAt">): number {
  return Date.parse(lastIterationAt ?? startedAt);
}

/** Whether the agent promised since the turn was judged, before it could know of the next prompt. */
export function lateReport(record: SessionRecord, messages: Messages, before: string | null): TurnReport | null {
  if (messages === null || record.judgedCount === null) return null;
  const next = findContinuation(messages, before);
  const late = messages.slice(record.judgedCount, next < 0 ? undefined : next);
  const claims = claimsOf(record, late);
  return claims.isPromised ? { ...emptyReport, exitCode: 0, result: "success", claims, isSkipped: true } : null;
}

/** Whether a person spoke since the turn was judged (CW-0F). */
export function hasPersonSpoken({ judgedCount }: SessionRecord, messages: Messages): boolean {
  return messages !== null && judgedCount !== null && hasForeignPrompt(messages.slice(judgedCount), isContinuation);
}

/** Whether the host, once seen idle, is at work again. */
export function hasMoved({ idle }: SessionRecord, messages: Messages): boolean {
  if (idle === null) return true;
  if (messages === null || idle.count === null) return false;
  return idle.isDoubted ? messages.length > idle.count : hasForeignPrompt(messages.slice(idle.count), isContinuation);
}

/** Whether the prompt of this iteration is the last word: the agent cannot be done with what it has not begun. */
export function isUnanswered(record: SessionRecord, messages: Messages): boolean {
  if (messages === null || messages.length === 0) return false;
  return findContinuation(messages, continuationHeading(record.loop, record.loop.iteration)) === messages.length - 1;
}

/** Whether the continuation of an iteration already stands in the session, from before a restart or a slow host. */
export function isInjected(record: SessionRecord, iteration: number, messages: Messages): boolean {
  if (messages === null) return false;
  const since = record.judgedCount ?? record.mark ?? 0;
  return findContinuation(messages, continuationHeading(record.loop, iteration)) >= since;
}

/** Whether the agent spoke after so many messages. */
export function hasAnswered(messages: Messages, count: number | null): boolean {
  return messages !== null && count !== null && messages.slice(count).some(({ role }) => role === "assistant");
}

/** Whether a text is one of our own prompts. */
export function isContinuation(text: string): boolean {
  return text.trimStart().startsWith("[RALPH LOOP - ITERATION ");
}

function claimsOf({ loop, run }: SessionRecord, messages: readonly SessionMessage[]) {
  const prompts = [continuationPrompt(loop, loop.iteration, run.feedback), loop.prompt];
  return claimsInMessages(messages, { promise: loop.completionPromise, prompts });
}

function markOf({ loop, mark }: SessionRecord) {
  const heading = continuationHeading(loop, loop.iteration);
  const prompt = loop.iteration === 1 ? loop.prompt : null;
  return { count: mark, startedAt: Date.parse(loop.startedAt), heading, prompt };
}
