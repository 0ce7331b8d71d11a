import { isObject } from "../../../core/text/is-object.ts";
import type { AgentEvent, Failure } from "../../../core/agents/agent-event.ts";
import { addSpend, noSpend, type Spend, totalTokens } from "../../../core/agents/spend.ts";
import type { StreamReader } from "../adapter.ts";
import { countOf, type JsonObject, numberOf, objectOf, priceOf, textOf } from "../../streams/json-value.ts";
import { createMessageNames } from "../../streams/message-name.ts";
import { todoItemsOf } from "../../streams/todo-items.ts";
import { summarizeToolInput } from "../../streams/tool-summary.ts";

/** Reads `opencode run --format json`. There is no closing line: the end is the process's exit. */
export function createOpencodeReader(): StreamReader {
  const memory: Memory = {
    sessionId: null,
    nameOf: createMessageNames(),
    spend: noSpend,
    hasSubAgent: false,
    failure: null,
  };

  return {
    read(line) {
      if (!isObject(line)) return "unknown";
      const events = readLine(line, memory);
      return events === "unknown" ? events : [...sessionEvents(line, memory), ...events];
    },
    failure: () => memory.failure,
  };
}

type Memory = {
  sessionId: string | null;
  nameOf: (id: string | null) => string;
  spend: Spend;
  hasSubAgent: boolean;
  failure: Failure | null;
};

function readLine(line: JsonObject, memory: Memory): AgentEvent[] | "unknown" {
  const part = objectOf(line["part"]);
  const type = textOf(line["type"]);
  if (type === "step_start") return [];
  if (type === "text") return textEvents(part, memory);
  if (type === "reasoning") return [{ type: "thinking", text: textOf(part["text"]) ?? "", isSub: false }];
  if (type === "tool_use") {
    memory.hasSubAgent ||= part["tool"] === "task";
    return toolEvents(part);
  }
  if (type === "step_finish") return finishStep(part, memory);
  return type === "error" ? readError(line, memory) : "unknown";
}

function sessionEvents(line: JsonObject, memory: Memory): AgentEvent[] {
  const sessionId = textOf(line["sessionID"]);
  if (sessionId === null || memory.sessionId !== null) return [];
  memory.sessionId = sessionId;
  return [{ type: "session", sessionId, model: null }];
}

/** A synthetic part holds the program's words, not the assistant's. */
function textEvents(part: JsonObject, { nameOf }: Memory): AgentEvent[] {
  const text = textOf(part["text"]);
  if (text === null || part["synthetic"] === true) return [];
  return [{ type: "text", text, messageId: nameOf(textOf(part["messageID"])), isSub: false }];
}

/** A tool is told once, when it has ended. */
function toolEvents(part: JsonObject): AgentEvent[] {
  const state = objectOf(part["state"]);
  const input = objectOf(state["input"]);
  const toolId = textOf(part["callID"]) ?? textOf(part["id"]) ?? "";
  const isInvalid = part["tool"] === "invalid";
  const name = (isInvalid ? textOf(input["tool"]) : null) ?? textOf(part["tool"]) ?? "";
  const exitCode = numberOf(objectOf(state["metadata"])["exit"]) ?? 0;
  const isError = isInvalid || state["status"] === "error" || exitCode !== 0;
  const canChange = changingTools.has(name);
  const output = textOf(state["output"]) ?? textOf(state["error"]) ?? "";
  const summary = summarizeToolInput(input);
  const isTodo = name === "todowrite";
  const todo = isTodo ? ({ isTodo } as const) : {};
  const events: AgentEvent[] = [
    { type: "tool-started", toolId, name, summary, canChange, isSub: false, ...todo },
    { type: "tool-ended", toolId, name, output, isError, isDenied: isError && output.startsWith(rejection) },
  ];
  if (isTodo) events.push({ type: "todo", items: todoItemsOf(input["todos"]) });
  return events;
}

/** The program's own fixed sentence is the only sign of a permission that nobody gave (seen in 1.18.33). */
const rejection = "The user rejected permission to use this specific tool call";

const changingTools = new Set(["apply_patch", "bash", "edit", "multiedit", "patch", "write"]);

function finishStep(part: JsonObject, memory: Memory): AgentEvent[] {
  memory.failure = null;
  memory.spend = addSpend(memory.spend, spendOfStep(part));
  // A sub-agent's steps show nowhere, so with one the price is only the least it cost.
  const isPartial = memory.hasSubAgent && memory.spend.usd !== null;
  return [{ type: "usage", spend: isPartial ? { ...memory.spend, isPartial } : memory.spend }];
}

/** A price of zero for used tokens means that the program has no price for the model. */
function spendOfStep(part: JsonObject): Spend {
  const tokens = objectOf(part["tokens"]);
  const cache = objectOf(tokens["cache"]);
  const cost = priceOf(part["cost"]);
  const spend: Spend = {
    usd: cost,
    inputTokens: countOf(tokens["input"]),
    outputTokens: countOf(tokens["output"]) + countOf(tokens["reasoning"]),
    cacheReadTokens: countOf(cache["read"]),
    cacheWriteTokens: countOf(cache["write"]),
  };
  return cost === 0 && totalTokens(spend) > 0 ? { ...spend, usd: null } : spend;
}

/** An error is remembered until a later step succeeds: the program may recover, for example by compacting. */
function readError(line: JsonObject, memory: Memory): AgentEvent[] {
  const error = objectOf(line["error"]);
  const details = objectOf(error["data"]);
  const message = textOf(details["message"]) ?? textOf(error["name"]) ?? "The agent reported an error.";
  const kind = kindOf(textOf(error["name"]), numberOf(details["statusCode"]));
  memory.failure = { kind, message, resetAt: kind === "limit" ? resetAt(line, details) : null };
  return [{ type: "notice", text: message }];
}

function kindOf(name: string | null, status: number | null): Failure["kind"] {
  if (name === "ProviderAuthError" || status === 401 || status === 403) return "authentication";
  if (name === "ProviderModelNotFoundError") return "model";
  return status === 429 ? "limit" : "other";
}

/** The provider's `retry-after` header counts from the line's own time. */
function resetAt(line: JsonObject, details: JsonObject): number | null {
  const header = textOf(objectOf(details["responseHeaders"])["retry-after"]) ?? "";
  const at = numberOf(line["timestamp"]);
  return /^\d+$/.test(header) && at !== null ? at + Number(header) * 1000 : null;
}
