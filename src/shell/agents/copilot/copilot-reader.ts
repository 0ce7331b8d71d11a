import { isObject } from "../../../core/text/is-object.ts";
import type { AgentEvent, Failure } from "../../../core/agents/agent-event.ts";
import type { StreamReader } from "../adapter.ts";
import { type JsonObject, numberOf, objectOf, textOf } from "../../streams/json-value.ts";
import { createMessageNames } from "../../streams/message-name.ts";
import { summarizeToolInput } from "../../streams/tool-summary.ts";
import { copilotCallFailure, copilotFailure } from "./copilot-failure.ts";

/**
 * Reads `copilot --output-format json`: events of one session, those of sub-agents marked with an `agentId`, closed by a
 * `result`, which alone names the session. Its todo list is a table that the stream does not show.
 */
export function createCopilotReader(): StreamReader {
  const memory: Memory = { toolNames: new Map(), nameOf: createMessageNames(), model: null, retries: 0, failure: null };

  return {
    read(line) {
      if (!isObject(line)) return "unknown";
      const type = textOf(line["type"]) ?? "";
      const event = { type, details: objectOf(line["data"]), isSub: typeof line["agentId"] === "string" };
      if (type === "result") return readResult(line, memory);
      return readEvent(event, memory) ?? (isQuiet(type) ? [] : "unknown");
    },
    failure: () => memory.failure,
  };
}

type Memory = {
  /** Of tools that have not answered yet. */
  toolNames: Map<string, string>;
  nameOf: (id: string | null) => string;
  model: string | null;
  retries: number;
  failure: Failure | null;
};
type SessionEvent = { type: string; details: JsonObject; isSub: boolean };

/** Null: nothing to tell. */
function readEvent(event: SessionEvent, memory: Memory): AgentEvent[] | null {
  const { type, details, isSub } = event;
  if (type === "assistant.message") return readMessage(event, memory);
  if (type === "assistant.reasoning") return [{ type: "thinking", text: textOf(details["content"]) ?? "", isSub }];
  if (type === "tool.execution_start") return startTool(event, memory);
  if (type === "tool.execution_complete") return endTool(details, memory);
  if (type === "assistant.turn_retry") return [retryOf(details, memory)];
  if (type === "session.warning") return [{ type: "notice", text: textOf(details["message"]) ?? "" }];
  if (type === "session.tools_updated") memory.model ??= textOf(details["model"]);
  // What a sub-agent ran into is its own matter; the main thread gets it as the answer of a tool.
  if (isSub) return null;
  if (type === "model.call_failure") memory.failure = copilotCallFailure(details);
  if (type === "abort") memory.failure = { kind: "other", message: "The agent was aborted.", resetAt: null };
  return type === "session.error" ? readError(details, memory) : null;
}

/** Pieces of a message come before it; the whole one counts. */
function readMessage({ details, isSub }: SessionEvent, memory: Memory): AgentEvent[] {
  if (!isSub) {
    memory.failure = null;
    memory.retries = 0;
  }
  const text = textOf(details["content"]) ?? "";
  const messageId = memory.nameOf(textOf(details["messageId"]));
  return text === "" ? [] : [{ type: "text", text, messageId, isSub }];
}

function startTool({ details, isSub }: SessionEvent, memory: Memory): AgentEvent[] {
  const toolId = textOf(details["toolCallId"]) ?? "";
  const name = textOf(details["toolName"]) ?? "";
  memory.toolNames.set(toolId, name);
  const summary = summarizeToolInput(details["arguments"]);
  return [{ type: "tool-started", toolId, name, summary, canChange: changingTools.has(name), isSub }];
}

const changingTools = new Set(["apply_patch", "bash", "create", "edit", "powershell"]);

/** A command that ended with another code than 0 is a success of its tool. */
function endTool(details: JsonObject, memory: Memory): AgentEvent[] {
  const toolId = textOf(details["toolCallId"]) ?? "";
  const name = memory.toolNames.get(toolId) ?? null;
  memory.toolNames.delete(toolId);
  const error = objectOf(details["error"]);
  const exitCode = numberOf(objectOf(details["shellExecution"])["exitCode"]) ?? 0;
  const isError = details["success"] !== true || exitCode !== 0;
  const output = textOf(objectOf(details["result"])["content"]) ?? textOf(error["message"]) ?? "";
  return [{ type: "tool-ended", toolId, name, output, isError, isDenied: error["code"] === "denied" }];
}

function retryOf(details: JsonObject, memory: Memory): AgentEvent {
  memory.retries += 1;
  const reason = textOf(details["reason"]) ?? "unknown";
  return { type: "retry", attempt: memory.retries, attemptsMax: null, delayMs: null, reason };
}

function readError(details: JsonObject, memory: Memory): AgentEvent[] {
  memory.failure = copilotFailure(details);
  return [{ type: "notice", text: memory.failure.message }];
}

function readResult(line: JsonObject, memory: Memory): AgentEvent[] | "unknown" {
  const sessionId = textOf(line["sessionId"]);
  const exitCode = numberOf(line["exitCode"]);
  if (sessionId === null || exitCode === null) return "unknown";
  const isSuccess = exitCode === 0;
  const unnamed: Failure = { kind: "other", message: `The agent ended with exit code ${exitCode}.`, resetAt: null };
  memory.failure = isSuccess ? null : (memory.failure ?? unnamed);
  return [
    { type: "session", sessionId, model: memory.model },
    { type: "result", isSuccess, text: null, failure: memory.failure, spend: null },
  ];
}

/** Families of events that say nothing we need, and the assistant's own of that kind. Each version brings new ones. */
function isQuiet(type: string): boolean {
  return quietTypes.has(type) || quietFamilies.has(type.split(".")[0] ?? "");
}

const quietTypes = new Set([
  "abort",
  "assistant.idle",
  "assistant.intent",
  "assistant.message_delta",
  "assistant.message_start",
  "assistant.reasoning_delta",
  "assistant.server_tool_progress",
  "assistant.streaming_delta",
  "assistant.tool_call_delta",
  "assistant.turn_end",
  "assistant.turn_start",
  "assistant.usage",
  "prompt_cache_break",
  "tool.execution_partial_result",
  "tool.execution_progress",
  "tool.shell_output",
  "user.message",
]);

const quietFamilies = new Set(
  "agent capabilities commands command hook mcp model permission sandbox session skill subagent system tool_search".split(
    " ",
  ),
);
