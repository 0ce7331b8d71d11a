import { isObject } from "../../../core/text/is-object.ts";
import type { AgentEvent, Failure, TodoItem } from "../../../core/agents/agent-event.ts";
import type { StreamReader } from "../adapter.ts";
import { type JsonObject, listOf, objectOf, textOf } from "../../streams/json-value.ts";
import { todoStatusOf } from "../../streams/todo-items.ts";
import { summarizeToolInput } from "../../streams/tool-summary.ts";
import { geminiFailure, geminiSpend } from "./gemini-turn-end.ts";

/** Reads `gemini --output-format stream-json`. A sub-agent's words show nowhere in it; its tokens count. */
export function createGeminiReader(): StreamReader {
  const memory: Memory = { toolNames: new Map(), messageCount: 0, lastError: null, failure: null };

  return {
    read(line) {
      if (!isObject(line)) return "unknown";
      const type = textOf(line["type"]);
      if (type === "init") return readInit(line, memory);
      if (type === "message") return readMessage(line, memory);
      if (type === "tool_use") return readToolUse(line, memory);
      if (type === "tool_result") return readToolResult(line, memory);
      if (type === "error") return readError(line, memory);
      return type === "result" ? readResult(line, memory) : "unknown";
    },
    failure: () => memory.failure,
  };
}

type Memory = {
  /** Of tools that have not answered yet. */
  toolNames: Map<string, string>;
  messageCount: number;
  lastError: string | null;
  failure: Failure | null;
};

/** Ended by a signal the program exits with 0 and without a result (seen in 0.61.0): no result is a failure. */
const noResult: Failure = { kind: "other", message: "The agent ended without a result.", resetAt: null };

function readInit(line: JsonObject, memory: Memory): AgentEvent[] | "unknown" {
  const sessionId = textOf(line["session_id"]);
  if (sessionId === null) return "unknown";
  memory.failure = noResult;
  return [{ type: "session", sessionId, model: textOf(line["model"]) }];
}

/** Words come in pieces without an id; a tool ends a message. */
function readMessage(line: JsonObject, memory: Memory): AgentEvent[] | "unknown" {
  const text = textOf(line["content"]);
  if (text === null) return "unknown";
  if (line["role"] === "user") return [];
  if (line["role"] !== "assistant") return "unknown";
  return [{ type: "text", text, messageId: `message-${memory.messageCount}`, isSub: false }];
}

function readToolUse(line: JsonObject, memory: Memory): AgentEvent[] | "unknown" {
  const toolId = textOf(line["tool_id"]);
  const name = textOf(line["tool_name"]);
  if (toolId === null || name === null) return "unknown";
  memory.messageCount += 1;
  memory.toolNames.set(toolId, name);
  const input = objectOf(line["parameters"]);
  const canChange = changingTools.has(name);
  const summary = summarizeToolInput(input);
  const started = { type: "tool-started" as const, toolId, name, summary, canChange, isSub: false };
  if (name !== "write_todos") return [started];
  return [
    { ...started, isTodo: true },
    { type: "todo", items: todosOf(input["todos"]) },
  ];
}

const changingTools = new Set(["replace", "run_shell_command", "write_file"]);

function todosOf(value: unknown): TodoItem[] {
  return listOf(value).flatMap((entry) => {
    const { description, status } = objectOf(entry);
    return typeof description === "string" ? [{ text: description, status: todoStatusOf(status) }] : [];
  });
}

/** The exit code of a command shows nowhere: status tells only whether the tool itself worked. */
function readToolResult(line: JsonObject, memory: Memory): AgentEvent[] | "unknown" {
  const toolId = textOf(line["tool_id"]);
  if (toolId === null) return "unknown";
  const name = memory.toolNames.get(toolId) ?? null;
  memory.toolNames.delete(toolId);
  const error = objectOf(line["error"]);
  const output = textOf(line["output"]) ?? textOf(error["message"]) ?? "";
  const isDenied = isDenial(textOf(error["type"]), name);
  return [{ type: "tool-ended", toolId, name, output, isError: line["status"] === "error", isDenied }];
}

/** What the approval mode or a policy forbids is not offered at all, so a call of it finds no tool. */
function isDenial(errorType: string | null, name: string | null): boolean {
  if (errorType === "policy_violation") return true;
  return errorType === "tool_not_registered" && name !== null && changingTools.has(name);
}

/** Warnings and faults on the way; whether they were fatal, the result tells. */
function readError(line: JsonObject, memory: Memory): AgentEvent[] {
  const message = textOf(line["message"]) ?? "The agent reported an error.";
  if (line["severity"] === "error") memory.lastError = message;
  return [{ type: "notice", text: message }];
}

function readResult(line: JsonObject, memory: Memory): AgentEvent[] {
  const isSuccess = line["status"] === "success";
  memory.failure = isSuccess ? null : geminiFailure(line, memory.lastError);
  const { failure } = memory;
  return [{ type: "result", isSuccess, text: null, failure, spend: geminiSpend(line["stats"]) }];
}
