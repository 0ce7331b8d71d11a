import { isObject } from "../../../core/text/is-object.ts";
import type { AgentEvent, Failure, TodoItem } from "../../../core/agents/agent-event.ts";
import type { StreamReader } from "../adapter.ts";
import { type JsonObject, listOf, numberOf, objectOf, textOf } from "../../streams/json-value.ts";
import { createMessageNames } from "../../streams/message-name.ts";
import { oneLine, summarizeToolInput } from "../../streams/tool-summary.ts";
import { codexFailure, codexRetry, codexSpend } from "./codex-turn-end.ts";

/** Reads `codex exec --json`: a thread of items, each with an id, closed by the end of the turn. */
export function createCodexReader(): StreamReader {
  const memory: Memory = { openTools: new Set(), nameOf: createMessageNames(), reconnects: 0, failure: null };

  return {
    read(line) {
      if (!isObject(line)) return "unknown";
      const type = textOf(line["type"]);
      if (type === "thread.started") return sessionOf(line);
      if (type === "turn.started") return [];
      if (type === "item.started" || type === "item.updated" || type === "item.completed") {
        return readItem(objectOf(line["item"]), type, memory);
      }
      if (type === "turn.completed") return readCompleted(line, memory);
      if (type === "turn.failed") return readFailed(line, memory);
      return type === "error" ? readError(line, memory) : "unknown";
    },
    failure: () => memory.failure,
  };
}

type Memory = {
  openTools: Set<string>;
  nameOf: (id: string | null) => string;
  reconnects: number;
  failure: Failure | null;
};
type Phase = "item.started" | "item.updated" | "item.completed";

function sessionOf(line: JsonObject): AgentEvent[] | "unknown" {
  const sessionId = textOf(line["thread_id"]);
  return sessionId === null ? "unknown" : [{ type: "session", sessionId, model: null }];
}

function readItem(item: JsonObject, phase: Phase, memory: Memory): AgentEvent[] | "unknown" {
  const type = textOf(item["type"]) ?? "";
  // The model answers again, so what went wrong before is overcome.
  if (type !== "error") memory.failure = null;
  if (type === "todo_list") return [{ type: "todo", items: todosOf(item) }];
  if (toolTypes.has(type)) return readTool(item, phase, memory);
  if (!wordTypes.has(type)) return "unknown";
  // Words count when they are whole.
  if (phase !== "item.completed") return [];
  const text = textOf(item["text"]) ?? textOf(item["message"]) ?? "";
  if (type === "reasoning") return [{ type: "thinking", text, isSub: false }];
  // An item of type error is a warning; the end of the turn tells a failure.
  if (type === "error") return [{ type: "notice", text }];
  return [{ type: "text", text, messageId: memory.nameOf(textOf(item["id"])), isSub: false }];
}

const wordTypes = new Set(["agent_message", "reasoning", "error"]);
const toolTypes = new Set(["command_execution", "file_change", "mcp_tool_call", "web_search"]);

function todosOf(item: JsonObject): TodoItem[] {
  return listOf(item["items"]).flatMap((entry) => {
    const { text, completed } = objectOf(entry);
    return typeof text === "string" ? [{ text, status: completed === true ? "done" : "pending" }] : [];
  });
}

function readTool(item: JsonObject, phase: Phase, memory: Memory): AgentEvent[] {
  const toolId = textOf(item["id"]) ?? "";
  const name = toolName(item);
  const canChange = item["type"] === "command_execution" || item["type"] === "file_change";
  const events: AgentEvent[] = [];
  if (!memory.openTools.has(toolId)) {
    memory.openTools.add(toolId);
    events.push({ type: "tool-started", toolId, name, summary: toolSummary(item), canChange, isSub: false });
  }
  if (phase !== "item.completed") return events;
  memory.openTools.delete(toolId);
  const exitCode = numberOf(item["exit_code"]) ?? 0;
  const isDenied = item["status"] === "declined";
  const isError = isDenied || item["status"] === "failed" || exitCode !== 0;
  return [...events, { type: "tool-ended", toolId, name, output: toolOutput(item), isError, isDenied }];
}

function toolName(item: JsonObject): string {
  if (item["type"] !== "mcp_tool_call") return textOf(item["type"]) ?? "";
  return [textOf(item["server"]), textOf(item["tool"])].filter((part) => part !== null).join(".");
}

function toolSummary(item: JsonObject): string {
  if (item["type"] === "mcp_tool_call") return summarizeToolInput(item["arguments"]);
  if (item["type"] !== "file_change") return oneLine(textOf(item["command"]) ?? textOf(item["query"]) ?? "");
  const paths = listOf(item["changes"]).map((change) => textOf(objectOf(change)["path"]) ?? "");
  return oneLine(paths.join(" "));
}

function toolOutput(item: JsonObject): string {
  const output = textOf(item["aggregated_output"]) ?? textOf(objectOf(item["error"])["message"]);
  if (output !== null) return output;
  const parts = listOf(objectOf(item["result"])["content"]).map((part) => textOf(objectOf(part)["text"]) ?? "");
  return parts.join("\n");
}

function readCompleted(line: JsonObject, memory: Memory): AgentEvent[] {
  memory.failure = null;
  return [{ type: "result", isSuccess: true, text: null, failure: null, spend: codexSpend(line["usage"]) }];
}

function readFailed(line: JsonObject, memory: Memory): AgentEvent[] {
  const failure = codexFailure(textOf(objectOf(line["error"])["message"]) ?? "The turn failed.");
  memory.failure = failure;
  return [{ type: "result", isSuccess: false, text: null, failure, spend: null }];
}

/** Most errors are reconnects that are tried again; another one is followed by the end of the turn. */
function readError(line: JsonObject, memory: Memory): AgentEvent[] {
  const message = textOf(line["message"]) ?? "";
  memory.failure = codexFailure(message);
  const retry = codexRetry(message, memory.reconnects + 1);
  if (retry === null) return [{ type: "notice", text: message }];
  memory.reconnects += 1;
  return [retry];
}
