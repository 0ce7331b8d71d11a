import { isObject } from "../../core/text/is-object.ts";
import type { AgentEvent, Failure } from "../../core/agents/agent-event.ts";
import type { StreamReader } from "../agents/adapter.ts";
import { type JsonObject, listOf, numberOf, objectOf, textOf } from "./json-value.ts";
import { failureOfMessage, failureOfResult, isErrorResult, resetOfLimit } from "./message-stream-failure.ts";
import { createMessageNames } from "./message-name.ts";
import { createSpendCounter, type SpendCounter } from "./message-stream-spend.ts";
import { createTodoBoard, type TodoBoard } from "./message-stream-todos.ts";
import { summarizeToolInput } from "./tool-summary.ts";

/**
 * Reads the stream shape that several agents share: `system`, `assistant` and `user` lines around whole messages made
 * of content blocks, closed by `result` lines. `changingTools` are the names of tools that edit or run commands.
 * `isLineWhole`: every line is a message of its own, whatever its id; else lines of one id are one message.
 */
export function createMessageStreamReader(
  changingTools: ReadonlySet<string>,
  { isLineWhole = false }: { isLineWhole?: boolean } = {},
): StreamReader {
  const nameOf = createMessageNames();
  const memory: Memory = {
    changingTools,
    nameOf: (id) => nameOf(isLineWhole ? null : id),
    spend: createSpendCounter(),
    todos: createTodoBoard(),
    toolNames: new Map(),
    deniedTools: new Set(),
    hookRefusedTools: new Set(),
    sessionId: null,
    failure: null,
    limitResetAt: null,
    partialMessageId: null,
  };

  return {
    read(line) {
      if (!isObject(line)) return "unknown";
      const type = textOf(line["type"]);
      if (type === "assistant") return readAssistant(line, memory);
      if (type === "user") return readUser(line, memory);
      if (type === "system") return readSystem(line, memory);
      if (type === "result") return readResult(line, memory);
      if (type === "stream_event") return readPartial(line, memory);
      if (type === "rate_limit_event") return readLimit(line, memory);
      return type !== null && quietTypes.has(type) ? [] : "unknown";
    },
    failure: () => memory.failure,
  };
}

type Memory = {
  changingTools: ReadonlySet<string>;
  nameOf: (id: string | null) => string;
  spend: SpendCounter;
  todos: TodoBoard;
  /** Of tools that have not answered yet. */
  toolNames: Map<string, string>;
  deniedTools: Set<string>;
  /** Refused by a hook, such as the command guard: no flag of the agent allows them. */
  hookRefusedTools: Set<string>;
  sessionId: string | null;
  failure: Failure | null;
  limitResetAt: number | null;
  partialMessageId: string | null;
};

/** Known line types that say nothing we need. */
const quietTypes = new Set(["tool_progress", "tool_use_summary", "auth_status", "prompt_suggestion"]);

const quietSubtypes = new Set([
  "thinking_tokens",
  "task_started",
  "task_progress",
  "task_updated",
  "task_notification",
  "background_tasks_changed",
  "hook_started",
  "hook_progress",
  "hook_response",
  "status",
  "compact_boundary",
]);

function readAssistant(line: JsonObject, memory: Memory): AgentEvent[] | "unknown" {
  const message = objectOf(line["message"]);
  const content = message["content"];
  if (!Array.isArray(content) && typeof content !== "string") return "unknown";
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
  const messageId = memory.nameOf(textOf(message["id"]));
  const isSub = isOfSubAgent(line);
  if (message["model"] === "<synthetic>" || line["is_api_error_message"] === true) {
    return readProgramWords(line, blocks, memory);
  }
  if (!isSub) memory.failure = null;
  const events: AgentEvent[] = [];
  const from = { messageId, isSub };
  for (const block of blocks) addBlock(events, objectOf(block), from, memory);
  const spend = memory.spend.message(messageId, message["usage"]);
  if (spend !== null) events.push({ type: "usage", spend });
  return events;
}

/** Words that the agent program puts in the model's mouth, such as an API error: shown, but never a claim. */
function readProgramWords(line: JsonObject, blocks: readonly unknown[], memory: Memory): AgentEvent[] {
  const text = blocks.map((block) => textOf(objectOf(block)["text"]) ?? "").join("");
  if (typeof line["error"] === "string") {
    const failure = failureOfMessage(line, text);
    memory.failure = failure.kind === "limit" ? { ...failure, resetAt: memory.limitResetAt } : failure;
  }
  return text === "" ? [] : [{ type: "notice", text }];
}

type BlockOrigin = { messageId: string; isSub: boolean };

function addBlock(events: AgentEvent[], block: JsonObject, { messageId, isSub }: BlockOrigin, memory: Memory): void {
  const type = block["type"];
  if (type === "text") {
    const text = textOf(block["text"]);
    if (text !== null) events.push({ type: "text", text, messageId, isSub });
    return;
  }
  if (type === "thinking") {
    const text = textOf(block["thinking"]);
    if (text !== null) events.push({ type: "thinking", text, isSub });
    return;
  }
  const toolId = textOf(block["id"]);
  const name = textOf(block["name"]);
  if (type !== "tool_use" || toolId === null || name === null) return;

  memory.toolNames.set(toolId, name);
  const input = block["input"];
  const canChange = memory.changingTools.has(name);
  const todo = !isSub && memory.todos.follows(name) ? ({ isTodo: true } as const) : {};
  events.push({ type: "tool-started", toolId, name, summary: summarizeToolInput(input), canChange, isSub, ...todo });
  const items = isSub ? null : memory.todos.started(toolId, name, input);
  if (items !== null) events.push({ type: "todo", items });
}

/** User lines hold tool results; their texts are the prompt, hook feedback and other words not of the agent. */
function readUser(line: JsonObject, memory: Memory): AgentEvent[] | "unknown" {
  if (!isObject(line["message"])) return "unknown";
  const events: AgentEvent[] = [];
  for (const entry of listOf(line["message"]["content"])) addAnswer(events, objectOf(entry), line, memory);
  return events;
}

function addAnswer(events: AgentEvent[], block: JsonObject, line: JsonObject, memory: Memory): void {
  const toolId = textOf(block["tool_use_id"]);
  if (block["type"] !== "tool_result" || toolId === null) return;
  const name = memory.toolNames.get(toolId) ?? null;
  const isDenied = memory.deniedTools.has(toolId);
  memory.toolNames.delete(toolId);
  const output = textOfToolResult(block["content"]);
  const isError = block["is_error"] === true;
  if (isError && hookRefusal.test(output)) memory.hookRefusedTools.add(toolId);
  events.push({ type: "tool-ended", toolId, name, output, isError, isDenied });
  const items = isOfSubAgent(line) ? null : memory.todos.ended(toolId, line["tool_use_result"]);
  if (items !== null) events.push({ type: "todo", items });
}

/** How claude tells that a hook refused a tool before it ran. */
const hookRefusal = /^PreToolUse:\S+ hook error: /;

function textOfToolResult(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => textOf(objectOf(part)["text"]) ?? "")
    .join("\n");
}

function readSystem(line: JsonObject, memory: Memory): AgentEvent[] | "unknown" {
  const subtype = textOf(line["subtype"]) ?? "";
  // A line without a subtype is the older form of the first one.
  if (subtype === "init" || (subtype === "" && line["session_id"] !== undefined)) return readInit(line, memory);
  if (subtype === "api_retry") return [retryOf(line)];
  if (subtype === "permission_denied") {
    const toolId = textOf(line["tool_use_id"]);
    if (toolId !== null) memory.deniedTools.add(toolId);
    return [];
  }
  if (subtype === "notification" || subtype === "informational") {
    const text = textOf(line["text"]) ?? textOf(line["content"]);
    return text === null ? [] : [{ type: "notice", text }];
  }
  return quietSubtypes.has(subtype) ? [] : "unknown";
}

function readInit(line: JsonObject, memory: Memory): AgentEvent[] {
  const sessionId = textOf(line["session_id"]);
  // A process that answers several times repeats this line.
  if (sessionId === null || sessionId === memory.sessionId) return [];
  memory.sessionId = sessionId;
  return [{ type: "session", sessionId, model: textOf(line["model"]) }];
}

function retryOf(line: JsonObject): AgentEvent {
  const status = numberOf(line["error_status"]);
  const reason = textOf(line["error"]) ?? "unknown";
  return {
    type: "retry",
    attempt: numberOf(line["attempt"]) ?? 1,
    attemptsMax: numberOf(line["max_retries"]),
    delayMs: numberOf(line["retry_delay_ms"]),
    reason: status === null ? reason : `${reason} (${status})`,
  };
}

function readResult(line: JsonObject, memory: Memory): AgentEvent[] {
  const isSuccess = !isErrorResult(line);
  const failure = isSuccess ? null : failureOfResult(line, memory.failure);
  if (failure?.kind === "limit" && failure.resetAt === null) failure.resetAt = memory.limitResetAt;
  memory.failure = failure;
  const spend = memory.spend.result(line);
  return [...lateDenials(line, memory), { type: "result", isSuccess, text: textOf(line["result"]), failure, spend }];
}

/**
 * Older versions tell a denial only here, after the tool has ended as failed. The list also has what a hook refused, which the
 * tool's own end has told.
 */
function lateDenials(line: JsonObject, memory: Memory): AgentEvent[] {
  return listOf(line["permission_denials"]).flatMap((entry) => {
    const denial = objectOf(entry);
    const toolId = textOf(denial["tool_use_id"]);
    if (toolId === null || memory.deniedTools.has(toolId) || memory.hookRefusedTools.has(toolId)) return [];
    memory.deniedTools.add(toolId);
    const name = textOf(denial["tool_name"]);
    return [{ type: "tool-ended", toolId, name, output: "", isError: true, isDenied: true }];
  });
}

/** Partial messages repeat the whole lines, except for the true count of output tokens. */
function readPartial(line: JsonObject, memory: Memory): AgentEvent[] {
  const event = objectOf(line["event"]);
  if (event["type"] === "message_start") memory.partialMessageId = textOf(objectOf(event["message"])["id"]);
  const messageId = textOf(line["api_message_id"]) ?? memory.partialMessageId;
  if (event["type"] !== "message_delta" || messageId === null) return [];
  const spend = memory.spend.message(messageId, event["usage"]);
  return spend === null ? [] : [{ type: "usage", spend }];
}

function readLimit(line: JsonObject, memory: Memory): AgentEvent[] {
  memory.limitResetAt = resetOfLimit(line, objectOf(line["rate_limit_info"])) ?? memory.limitResetAt;
  return [];
}

function isOfSubAgent(line: JsonObject): boolean {
  return (line["parent_tool_use_id"] ?? null) !== null;
}
