import type { Failure, TodoItem } from "../../../core/agents/agent-event.ts";
import { noSpend, type Spend } from "../../../core/agents/spend.ts";
import { jsonLine, numberedUuid, type SimEvent, type SimSession, type SimTool, type ToolEnd } from "./sim-event.ts";

/** The stream of `claude -p --output-format stream-json --verbose`, version 2.1.325: one content block a line. */
export function writeClaude(event: SimEvent, session: SimSession): string[] {
  return linesOf(event, session).map((line) => jsonLine(line));
}

function linesOf(event: SimEvent, session: SimSession): object[] {
  switch (event.type) {
    case "began":
      return [initLine(event, session)];
    case "message-started":
    case "message-ended":
      return [];
    case "text":
      return event.chunks.map((text) => assistantLine(event, session, [{ type: "text", text }]));
    case "thinking":
      return [assistantLine(event, session, [{ type: "thinking", thinking: event.text, signature: "c2lt" }])];
    case "echo":
      return [userLine(event, session, [{ type: "text", text: session.prompt }])];
    case "tool-started":
      return toolStartedLines(event, session);
    case "tool-ended":
      return toolEndedLines(event, session);
    case "result":
      return resultLines(event, session);
  }
}

type EventOf<Type extends SimEvent["type"]> = Extract<SimEvent, { type: Type }>;

function stamp(event: SimEvent, session: SimSession): object {
  return { session_id: session.sessionId, uuid: numberedUuid(event.count) };
}

function initLine(event: SimEvent, session: SimSession): object {
  return {
    type: "system",
    subtype: "init",
    cwd: session.cwd,
    session_id: session.sessionId,
    tools: ["Agent", "Bash", "Edit", "Read", "TodoWrite", "Write"],
    mcp_servers: [],
    model: session.model,
    permissionMode: "bypassPermissions",
    slash_commands: [],
    apiKeySource: "none",
    claude_code_version: "2.1.325",
    output_style: "default",
    agents: ["general-purpose"],
    skills: [],
    plugins: [],
    uuid: numberedUuid(event.count),
  };
}

type Line = Record<string, unknown>;
type MessageEvent = EventOf<"text" | "thinking" | "tool-started">;

function assistantLine(event: MessageEvent, session: SimSession, content: object[]): Line & { message: object } {
  return {
    type: "assistant",
    message: {
      id: `msg_sim${String(event.messageId).padStart(4, "0")}`,
      type: "message",
      role: "assistant",
      model: session.model,
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usageOf(event.spend), service_tier: "standard" },
      context_management: null,
    },
    parent_tool_use_id: null,
    ...stamp(event, session),
    timestamp: new Date(event.at).toISOString(),
  };
}

function userLine(event: SimEvent, session: SimSession, content: object[]): object {
  return {
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    ...stamp(event, session),
    timestamp: new Date(event.at).toISOString(),
  };
}

function toolStartedLines(event: EventOf<"tool-started">, session: SimSession): object[] {
  const { tool } = event;
  const id = toolUseId(event.toolId);
  const call = assistantLine(event, session, [{ type: "tool_use", id, name: toolName(tool), input: toolInput(tool) }]);
  if (tool.kind !== "subagent") return [call];
  const words = assistantLine(event, session, [{ type: "text", text: tool.text }]);
  const message = { ...words.message, id: `msg_sub${event.toolId}`, usage: usageOf(noSpend) };
  return [call, { ...words, message, parent_tool_use_id: id, subagent_type: "general-purpose" }];
}

function toolEndedLines(event: EventOf<"tool-ended">, session: SimSession): object[] {
  const { tool, end } = event;
  const id = toolUseId(event.toolId);
  const content = toolResultText(end);
  const result = { tool_use_id: id, type: "tool_result", content, is_error: end.isError };
  const line = { ...userLine(event, session, [result]), tool_use_result: toolDetails(tool, end, content) };
  if (!end.isDenied) return [line];
  const denied = { tool_name: toolName(tool), tool_use_id: id, message: end.output };
  return [{ type: "system", subtype: "permission_denied", ...denied, ...stamp(event, session) }, line];
}

function toolResultText(end: ToolEnd): string {
  if (end.exitCode === null) return end.output;
  const output = end.output.trimEnd();
  return end.exitCode === 0 ? output : `Exit code ${end.exitCode}\n${output}`;
}

function toolDetails(tool: SimTool, end: ToolEnd, content: string): unknown {
  if (end.isError) return `Error: ${content}`;
  switch (tool.kind) {
    case "run":
      return { stdout: content, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
    case "write":
      return { type: tool.isNew ? "create" : "update", filePath: tool.file, content: tool.content };
    case "replace":
      return { filePath: tool.file, oldString: tool.find, newString: tool.replace, replaceAll: false };
    case "todo":
      return { oldTodos: [], newTodos: todosOf(tool.items) };
    case "subagent":
      return { status: "completed", content: [{ type: "text", text: tool.text }] };
  }
}

const failureCodes: Record<Failure["kind"], { error: string; status: number; type: string }> = {
  authentication: { error: "authentication_failed", status: 401, type: "authentication_error" },
  model: { error: "model_not_found", status: 404, type: "not_found_error" },
  limit: { error: "rate_limit", status: 429, type: "rate_limit_error" },
  other: { error: "server_error", status: 500, type: "api_error" },
};

function resultLines(event: EventOf<"result">, session: SimSession): object[] {
  const { failure } = event;
  if (failure === null) return [resultLine(event, session, { terminal_reason: "completed", api_error_status: null })];
  const { error, status, type } = failureCodes[failure.kind];
  const words = assistantLine(
    { ...event, type: "text", messageId: 0, chunks: [], spend: noSpend },
    { ...session, model: "<synthetic>" },
    [{ type: "text", text: event.text }],
  );
  const apiError = { api_error_status: status, api_error_type: type };
  return [
    ...limitLines(event, session, failure),
    { ...words, error, is_api_error_message: true, ...apiError },
    resultLine(event, session, { terminal_reason: "api_error", ...apiError }),
  ];
}

/** The stream tells the end of a usage limit in seconds since the epoch. */
function limitLines(event: SimEvent, session: SimSession, failure: Failure): object[] {
  if (failure.resetAt === null) return [];
  const info = { status: "rejected", resetsAt: failure.resetAt / 1000, rateLimitType: "five_hour" };
  return [{ type: "rate_limit_event", rate_limit_info: info, ...stamp(event, session) }];
}

function resultLine(event: EventOf<"result">, session: SimSession, fields: object): object {
  const { spend, spendSince } = event;
  const modelUsage = {
    inputTokens: spend.inputTokens,
    outputTokens: spend.outputTokens,
    cacheReadInputTokens: spend.cacheReadTokens,
    cacheCreationInputTokens: spend.cacheWriteTokens,
    ...(spend.usd === null ? {} : { costUSD: spend.usd }),
  };
  return {
    duration_api_ms: 1,
    stop_reason: "end_turn",
    ...(spend.usd === null ? {} : { total_cost_usd: spend.usd }),
    usage: { ...usageOf(spendSince), service_tier: "standard" },
    modelUsage: { [session.model]: modelUsage },
    permission_denials: event.denied.map(({ toolId, tool }) => ({
      tool_name: toolName(tool),
      tool_use_id: toolUseId(toolId),
      tool_input: toolInput(tool),
    })),
    is_error: event.failure !== null,
    num_turns: event.messages,
    subtype: "success",
    result: event.text,
    type: "result",
    duration_ms: 1,
    ...fields,
    ...stamp(event, session),
    result_index: event.index,
  };
}

function usageOf(spend: Spend): object {
  return {
    input_tokens: spend.inputTokens,
    cache_creation_input_tokens: spend.cacheWriteTokens,
    cache_read_input_tokens: spend.cacheReadTokens,
    output_tokens: spend.outputTokens,
  };
}

function toolUseId(toolId: number): string {
  return `toolu_sim${String(toolId).padStart(4, "0")}`;
}

function toolName(tool: SimTool): string {
  return { run: "Bash", write: "Write", replace: "Edit", todo: "TodoWrite", subagent: "Agent" }[tool.kind];
}

function toolInput(tool: SimTool): object {
  switch (tool.kind) {
    case "run":
      return { command: tool.command };
    case "write":
      return { file_path: tool.file, content: tool.content };
    case "replace":
      return { file_path: tool.file, old_string: tool.find, new_string: tool.replace };
    case "todo":
      return { todos: todosOf(tool.items) };
    case "subagent":
      return { description: "Look around", prompt: "Look around", subagent_type: "general-purpose" };
  }
}

function todosOf(items: readonly TodoItem[]): object[] {
  const statuses = { pending: "pending", active: "in_progress", done: "completed" };
  return items.map(({ text, status }) => ({ content: text, activeForm: text, status: statuses[status] }));
}
