import type { Failure } from "../../../core/agents/agent-event.ts";
import { jsonLine, type SimEvent, type SimSession, type SimTool, type ToolEnd } from "./sim-event.ts";

/** The stream of `codex exec --json`, version 0.166.0. It tells no price, no denied patch and no sub-agent. */
export function writeCodex(event: SimEvent, session: SimSession): string[] {
  return linesOf(event, session).map((line) => jsonLine(line));
}

function linesOf(event: SimEvent, session: SimSession): object[] {
  switch (event.type) {
    case "began":
      return [{ type: "thread.started", thread_id: session.sessionId }, { type: "turn.started" }];
    case "message-started":
    case "message-ended":
      return [];
    case "text":
      return [completed({ id: itemId(event.count), type: "agent_message", text: event.chunks.join("") })];
    case "thinking":
      return [completed({ id: itemId(event.count), type: "reasoning", text: event.text })];
    case "echo":
      return [completed({ id: itemId(event.count), type: "reasoning", text: `I was asked:\n${session.prompt}` })];
    case "tool-started":
      return toolStartedLines(event.tool, event.toolId);
    case "tool-ended":
      return toolEndedLines(event.tool, event.toolId, event.end);
    case "result":
      return resultLines(event);
  }
}

function completed(item: object): object {
  return { type: "item.completed", item };
}

// Item ids count up in the recorded streams; any unique number does.
function itemId(count: number): string {
  return `item_${count}`;
}

function toolStartedLines(tool: SimTool, toolId: number): object[] {
  if (tool.kind === "todo") return [{ type: tool.isFirst ? "item.started" : "item.updated", item: todoItem(tool) }];
  // A refused patch shows in no event, so a patch shows only when it has ended.
  if (tool.kind === "write" || tool.kind === "replace") return [];
  const item = commandItem(tool, toolId, { aggregated_output: "", exit_code: null, status: "in_progress" });
  return [{ type: "item.started", item }];
}

function toolEndedLines(tool: SimTool, toolId: number, end: ToolEnd): object[] {
  if (tool.kind === "todo" || end.isDenied) return [];
  if (tool.kind === "run" || tool.kind === "subagent") {
    const status = end.isError ? "failed" : "completed";
    const outcome = { aggregated_output: end.output, exit_code: end.exitCode ?? 0, status };
    return [completed(commandItem(tool, toolId, outcome))];
  }
  const kind = tool.kind === "write" && tool.isNew ? "add" : "update";
  const change = { id: `item_tool${toolId}`, type: "file_change", changes: [{ path: tool.file, kind }] };
  return [
    { type: "item.started", item: { ...change, status: "in_progress" } },
    completed({ ...change, status: end.isError ? "failed" : "completed" }),
  ];
}

function commandItem(tool: Extract<SimTool, { kind: "run" | "subagent" }>, toolId: number, outcome: object): object {
  const command = tool.kind === "run" ? tool.command : "codex exec 'Look around'";
  return { id: `item_tool${toolId}`, type: "command_execution", command: `/bin/sh -c ${quote(command)}`, ...outcome };
}

function quote(command: string): string {
  return `'${command.replaceAll("'", String.raw`'\''`)}'`;
}

function todoItem(tool: Extract<SimTool, { kind: "todo" }>): object {
  const items = tool.items.map(({ text, status }) => ({ text, completed: status === "done" }));
  return { id: "item_todo", type: "todo_list", items };
}

/** The status stands at its fixed place in the message; an unknown model comes as the provider's error body. */
function failureMessage({ kind, message }: Failure): string {
  switch (kind) {
    case "authentication":
      return `unexpected status 401 Unauthorized: ${message}`;
    case "model":
      return JSON.stringify({ error: { message, type: "invalid_request_error", code: "model_not_found" } });
    case "limit":
      return `exceeded retry limit, last status: 429 Too Many Requests: ${message}`;
    case "other":
      return `unexpected status 500 Internal Server Error: ${message}`;
  }
}

function resultLines(event: Extract<SimEvent, { type: "result" }>): object[] {
  if (event.failure !== null) {
    const message = failureMessage(event.failure);
    return [
      { type: "error", message },
      { type: "turn.failed", error: { message } },
    ];
  }
  const { spendSince: spend } = event;
  const usage = {
    input_tokens: spend.inputTokens + spend.cacheReadTokens + spend.cacheWriteTokens,
    cached_input_tokens: spend.cacheReadTokens,
    cache_write_input_tokens: spend.cacheWriteTokens,
    output_tokens: spend.outputTokens,
    reasoning_output_tokens: 0,
  };
  return [{ type: "turn.completed", usage }];
}
