import { isObject } from "../../../core/text/is-object.ts";
import type { AgentEvent, Failure } from "../../../core/agents/agent-event.ts";
import type { Spend } from "../../../core/agents/spend.ts";
import { countOf, objectOf, textOf } from "../../streams/json-value.ts";

/**
 * The failure an error message tells. Two parts of it are structured: the HTTP status at its fixed place, and the
 * code of an error body handed on as JSON. Anything else is prose and never judged.
 */
export function codexFailure(text: string): Failure {
  const message = reconnecting.exec(text)?.groups?.["reason"] ?? text;
  const status = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/.exec(message)?.[1] ?? "";
  const kind = kinds.get(status) ?? kinds.get(codeOfBody(message)) ?? "other";
  return { kind, message, resetAt: null };
}

/** A reconnect that is tried again; null for any other message. `count` numbers those that carry no number. */
export function codexRetry(message: string, count: number): Extract<AgentEvent, { type: "retry" }> | null {
  const groups = reconnecting.exec(message)?.groups;
  if (groups === undefined) return null;
  const attempt = groups["attempt"] === undefined ? count : Number(groups["attempt"]);
  const attemptsMax = groups["max"] === undefined ? null : Number(groups["max"]);
  return { type: "retry", attempt, attemptsMax, delayMs: null, reason: groups["reason"] ?? message };
}

/** Codex counts cached input within the input and tells no price. */
export function codexSpend(usage: unknown): Spend | null {
  if (!isObject(usage)) return null;
  const cacheReadTokens = countOf(usage["cached_input_tokens"]);
  const cacheWriteTokens = countOf(usage["cache_write_input_tokens"]);
  return {
    usd: null,
    inputTokens: Math.max(0, countOf(usage["input_tokens"]) - cacheReadTokens - cacheWriteTokens),
    outputTokens: countOf(usage["output_tokens"]),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

const reconnecting =
  /^Reconnecting\.\.\. (?:(?<attempt>\d+)\/(?<max>\d+)|waiting for network)(?: \((?<reason>.*)\))?$/s;

const kinds = new Map<string, Failure["kind"]>([
  ["401", "authentication"],
  ["403", "authentication"],
  ["429", "limit"],
  ["invalid_api_key", "authentication"],
  ["model_not_found", "model"],
  ["rate_limit_exceeded", "limit"],
]);

function codeOfBody(message: string): string {
  if (!message.startsWith("{")) return "";
  try {
    return textOf(objectOf(objectOf(JSON.parse(message))["error"])["code"]) ?? "";
  } catch {
    // Prose that begins with a brace has no code.
    return "";
  }
}
