import { noSpend, type Spend } from "../../../core/agents/spend.ts";
import { jsonLine, type SimEvent, type SimSession, type SimTool } from "./sim-event.ts";

/** The stream of `amp --execute --stream-json`, after the types of its SDK: whole messages with all their blocks. */
export function writeAmp(event: SimEvent, session: SimSession): string[] {
  return linesOf(event, session).map((line) => jsonLine(line));
}

function linesOf(event: SimEvent, session: SimSession): object[] {
  switch (event.type) {
    case "began":
      return [initLine(session), userLine(session, [{ type: "text", text: session.prompt }])];
    case "message-started":
    case "message-ended":
      return [];
    case "text": {
      const content = event.chunks.map((text) => ({ type: "text", text }));
      return [assistantLine(event, session, content)];
    }
    case "thinking":
      return [assistantLine(event, session, [{ type: "thinking", thinking: event.text }])];
    case "echo":
      return [userLine(session, [{ type: "text", text: session.prompt }])];
    case "tool-started":
      return toolStartedLines(event, session);
    case "tool-ended": {
      const { tool, end } = event;
      const isCommand = tool.kind === "run" && !end.isDenied;
      const content = isCommand ? JSON.stringify({ output: end.output, exitCode: end.exitCode }) : end.output;
      const result = { type: "tool_result", tool_use_id: toolUseId(event.toolId), content, is_error: end.isError };
      return [userLine(session, [result])];
    }
    case "result":
      return [resultLine(event, session)];
  }
}

type EventOf<Type extends SimEvent["type"]> = Extract<SimEvent, { type: Type }>;

function initLine(session: SimSession): object {
  const tools = ["Bash", "create_file", "edit_file", "Read", "Task", "todo_write"];
  const { cwd, sessionId: session_id } = session;
  return { type: "system", subtype: "init", cwd, session_id, tools, mcp_servers: [] };
}

function userLine(session: SimSession, content: object[]): object {
  const message = { role: "user", content };
  return { type: "user", message, parent_tool_use_id: null, session_id: session.sessionId };
}

type Line = Record<string, unknown>;
type MessageEvent = EventOf<"text" | "thinking" | "tool-started">;

function assistantLine(event: MessageEvent, session: SimSession, content: object[]): Line & { message: object } {
  const message = {
    id: `msg_${event.messageId}`,
    type: "message",
    role: "assistant",
    model: session.model,
    content,
    stop_reason: event.type === "tool-started" ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { ...usageOf(event.spend), service_tier: "standard" },
  };
  return { type: "assistant", message, parent_tool_use_id: null, session_id: session.sessionId };
}

function toolStartedLines(event: EventOf<"tool-started">, session: SimSession): object[] {
  const { tool } = event;
  const id = toolUseId(event.toolId);
  const call = assistantLine(event, session, [{ type: "tool_use", id, name: toolName(tool), input: toolInput(tool) }]);
  if (tool.kind !== "subagent") return [call];
  const words = assistantLine(event, session, [{ type: "text", text: tool.text }]);
  const message = { ...words.message, id: `msg_sub${event.toolId}`, usage: usageOf(noSpend) };
  return [call, { ...words, message, parent_tool_use_id: id }];
}

function resultLine(event: EventOf<"result">, session: SimSession): object {
  const denials = event.denied.map(({ tool }) => toolName(tool));
  const outcome =
    event.failure === null
      ? { subtype: "success", is_error: false, result: event.text, usage: usageOf(event.spendSince) }
      : { subtype: "error_during_execution", is_error: true, error: event.text };
  return {
    type: "result",
    duration_ms: 1,
    num_turns: event.messages,
    ...outcome,
    ...(denials.length === 0 ? {} : { permission_denials: denials }),
    session_id: session.sessionId,
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
  return `toolu_${toolId}`;
}

function toolName(tool: SimTool): string {
  return { run: "Bash", write: "create_file", replace: "edit_file", todo: "todo_write", subagent: "Task" }[tool.kind];
}

function toolInput(tool: SimTool): object {
  switch (tool.kind) {
    case "run":
      return { cmd: tool.command };
    case "write":
      return { path: tool.file, content: tool.content };
    case "replace":
      return { path: tool.file, old_str: tool.find, new_str: tool.replace };
    case "todo": {
      const statuses = { pending: "todo", active: "in-progress", done: "completed" };
      return { todos: tool.items.map(({ text, status }) => ({ content: text, status: statuses[status] })) };
    }
    case "subagent":
      return { description: "Look around", prompt: "Look around" };
  }
}
