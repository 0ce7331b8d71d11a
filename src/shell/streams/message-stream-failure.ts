import type { Failure } from "../../core/agents/agent-event.ts";
import { type JsonObject, listOf, numberOf, textOf } from "./json-value.ts";

/** A result is an error when any of its fields says so: an API error comes with subtype `success` and `is_error` true. */
export function isErrorResult(line: JsonObject): boolean {
  return line["is_error"] === true || (textOf(line["subtype"]) ?? "").startsWith("error");
}

/** The failure a result line tells. `known` is what a message line told before; only it names an unknown model. */
export function failureOfResult(line: JsonObject, known: Failure | null): Failure {
  const message = messageOfResult(line);
  const kind = kindOfStatus(line["api_error_status"]);
  if (known !== null && (known.kind !== "other" || kind === "other")) return { ...known, message };
  return { kind, message, resetAt: null };
}

/** The failure a message line with an `error` code tells. */
export function failureOfMessage(line: JsonObject, message: string): Failure {
  const kind = kindsByCode.get(textOf(line["error"]) ?? "") ?? kindOfStatus(line["api_error_status"]);
  return { kind, message, resetAt: null };
}

/** When a refused usage limit ends. The stream gives seconds since the epoch. */
export function resetOfLimit(line: JsonObject, info: JsonObject): number | null {
  if (info["status"] !== "rejected") return null;
  const seconds = numberOf(info["resetsAt"]) ?? numberOf(line["resetsAt"]);
  return seconds === null ? null : seconds * 1000;
}

const kindsByCode = new Map<string, Failure["kind"]>([
  ["authentication_failed", "authentication"],
  ["model_not_found", "model"],
  ["rate_limit", "limit"],
]);

function kindOfStatus(status: unknown): Failure["kind"] {
  if (status === 401 || status === 403) return "authentication";
  return status === 429 ? "limit" : "other";
}

function messageOfResult(line: JsonObject): string {
  const errors = listOf(line["errors"]).filter((error) => typeof error === "string");
  const told = textOf(line["result"]) ?? textOf(line["error"]) ?? errors.join("; ");
  if (told !== "") return told;
  return textOf(line["terminal_reason"]) ?? textOf(line["subtype"]) ?? "The agent ended with an error.";
}
