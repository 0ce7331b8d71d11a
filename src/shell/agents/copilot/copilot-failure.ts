import type { Failure } from "../../../core/agents/agent-event.ts";
import { type JsonObject, numberOf, objectOf, textOf } from "../../streams/json-value.ts";

/** The failure that ended the session's turn, by its type and the HTTP status. */
export function copilotFailure(details: JsonObject): Failure {
  const type = textOf(details["errorType"]) ?? "";
  const kind = kinds.get(type) ?? kindOfStatus(details["statusCode"]);
  return { kind, message: textOf(details["message"]) ?? "The agent reported an error.", resetAt: null };
}

/** A failed request to the model, which the program may try again. */
export function copilotCallFailure(details: JsonObject): Failure {
  const told = textOf(details["errorMessage"]) ?? "The model could not be asked.";
  return { kind: kindOfStatus(details["statusCode"]), message: messageOfBody(told) ?? told, resetAt: null };
}

const kinds = new Map<string, Failure["kind"]>([
  ["authentication", "authentication"],
  ["authorization", "authentication"],
  ["quota", "limit"],
  ["rate_limit", "limit"],
]);

/** A provider that knows no such model answers 404. */
function kindOfStatus(status: unknown): Failure["kind"] {
  const code = numberOf(status);
  if (code === 401 || code === 403) return "authentication";
  if (code === 404) return "model";
  return code === 429 ? "limit" : "other";
}

/** The error body of the provider, handed on as JSON. */
function messageOfBody(text: string): string | null {
  try {
    return textOf(objectOf(JSON.parse(text))["message"]);
  } catch {
    // Anything else is the message itself.
    return null;
  }
}
