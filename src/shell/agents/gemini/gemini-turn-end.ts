import { isObject } from "../../../core/text/is-object.ts";
import type { Failure } from "../../../core/agents/agent-event.ts";
import type { Spend } from "../../../core/agents/spend.ts";
import { countOf, type JsonObject, listOf, numberOf, objectOf, textOf } from "../../streams/json-value.ts";

/**
 * The failure a result line tells. Its message hands on the API's error body as JSON; only that is judged. An answer
 * that was no answer fails with a result that names nothing, after an error line that does.
 */
export function geminiFailure(line: JsonObject, lastError: string | null): Failure {
  const error = objectOf(line["error"]);
  const message = textOf(error["message"]) ?? lastError ?? "The agent ended with an error.";
  const body = bodyOf(message);
  const kind = kindOf(textOf(error["type"]), body);
  return { kind, message: textOf(body["message"]) ?? message, resetAt: kind === "limit" ? resetAt(line, body) : null };
}

/** Cached input is counted within the input; what was thought is only in the total. The stream tells no price. */
export function geminiSpend(stats: unknown): Spend | null {
  if (!isObject(stats)) return null;
  const input = countOf(stats["input_tokens"]);
  const cached = countOf(stats["cached"]);
  return {
    usd: null,
    inputTokens: Math.max(0, input - cached),
    outputTokens: Math.max(countOf(stats["output_tokens"]), countOf(stats["total_tokens"]) - input),
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
  };
}

/** The error within `[API Error: {"error":{…}}]`, or an empty object for prose. */
function bodyOf(message: string): JsonObject {
  const json = /^\[API Error: (\{.*\})\]/s.exec(message)?.[1];
  if (json === undefined) return {};
  try {
    return objectOf(objectOf(JSON.parse(json))["error"]);
  } catch {
    // Prose in braces has no code.
    return {};
  }
}

function kindOf(type: string | null, body: JsonObject): Failure["kind"] {
  const code = numberOf(body["code"]);
  const isKeyInvalid = detailsOf(body).some(({ reason }) => reason === "API_KEY_INVALID");
  if (type === "FatalAuthenticationError" || isKeyInvalid || code === 401 || code === 403) return "authentication";
  if (code === 404) return "model";
  return code === 429 ? "limit" : "other";
}

/** The API says how long to wait as `retryDelay: "34s"`, counted from the line's own time. */
function resetAt(line: JsonObject, body: JsonObject): number | null {
  const at = Date.parse(textOf(line["timestamp"]) ?? "");
  const delays = detailsOf(body).map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(textOf(retryDelay) ?? "")?.[1]);
  const seconds = delays.find((delay) => delay !== undefined);
  return Number.isNaN(at) || seconds === undefined ? null : at + Number(seconds) * 1000;
}

function detailsOf(body: JsonObject): JsonObject[] {
  return listOf(body["details"]).map(objectOf);
}
