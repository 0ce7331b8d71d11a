import type { Failure } from "../../../core/agents/agent-event.ts";
import type { Spend } from "../../../core/agents/spend.ts";
import { jsonLine, type SimEvent, type SimSession, type SimTool, type ToolEnd } from "./sim-event.ts";

/** The stream of `opencode run --format json`, version 1.18.33: parts between step_start and step_finish, no result. */
export function writeOpencode(event: SimEvent, session: SimSession): string[] {
  return linesOf(event, session).map((line) => jsonLine(line));
}

function linesOf(event: SimEvent, session: SimSession): object[] {
  const part = (type: string, messageId: number, fields: object, index = 0): object => ({
    id: `prt_sim${event.count}_${index}`,
    messageID: `msg_sim${messageId}`,
    sessionID: sessionId(session),
    type,
    ...fields,
  });
  const line = (type: string, fields: object): object => ({
    type,
    timestamp: event.at,
    sessionID: sessionId(session),
    ...fields,
  });
  const time = { start: event.at, end: event.at };
  switch (event.type) {
    case "began":
    case "tool-started":
      return [];
    case "message-started":
      return [line("step_start", { part: part("step-start", event.messageId, {}) })];
    case "text":
      return event.chunks.map((text, index) =>
        line("text", { part: part("text", event.messageId, { text, time }, index) }),
      );
    case "thinking":
      return [line("reasoning", { part: part("reasoning", event.messageId, { text: event.text, time }) })];
    case "echo":
      return [line("text", { part: part("text", event.messageId, { text: session.prompt, synthetic: true, time }) })];
    case "tool-ended": {
      const { tool, end } = event;
      const call = { tool: toolName(tool), callID: `call_sim${event.toolId}`, state: toolState(tool, end, event.at) };
      return [line("tool_use", { part: part("tool", event.messageId, call) })];
    }
    case "message-ended": {
      const reason = event.isLast ? "stop" : "tool-calls";
      const finish = { reason, tokens: tokensOf(event.spend), cost: event.spend.usd ?? 0 };
      return [line("step_finish", { part: part("step-finish", event.messageId, finish) })];
    }
    case "result":
      return event.failure === null ? [] : [line("error", { error: errorOf(event.failure, event.at) })];
  }
}

function sessionId(session: SimSession): string {
  return session.sessionId.startsWith("ses_") ? session.sessionId : `ses_${session.sessionId.replaceAll("-", "")}`;
}

function toolName(tool: SimTool): string {
  return { run: "bash", write: "write", replace: "edit", todo: "todowrite", subagent: "task" }[tool.kind];
}

function toolState(tool: SimTool, end: ToolEnd, at: number): object {
  const time = { start: at, end: at };
  const input = toolInput(tool);
  if (end.isDenied) return { status: "error", input, error: rejectedText, time };
  // A command that exits with 3 is `completed`; only tools of other kinds are in error.
  if (end.isError && tool.kind !== "run") return { status: "error", input, error: end.output, time };
  const metadata = tool.kind === "run" ? { output: end.output, exit: end.exitCode, truncated: false } : {};
  return { status: "completed", input, output: end.output, metadata, title: toolName(tool), time };
}

const rejectedText = "The user rejected permission to use this specific tool call.";

function toolInput(tool: SimTool): object {
  switch (tool.kind) {
    case "run":
      return { command: tool.command, description: "Run a command" };
    case "write":
      return { filePath: tool.file, content: tool.content };
    case "replace":
      return { filePath: tool.file, oldString: tool.find, newString: tool.replace };
    case "todo": {
      const statuses = { pending: "pending", active: "in_progress", done: "completed" };
      return {
        todos: tool.items.map(({ text, status }) => ({ content: text, status: statuses[status], priority: "medium" })),
      };
    }
    case "subagent":
      return { description: "Look around", prompt: "Look around", subagent_type: "general" };
  }
}

function tokensOf(spend: Spend): object {
  const { inputTokens: input, outputTokens: output, cacheReadTokens: read, cacheWriteTokens: write } = spend;
  return { total: input + output + read + write, input, output, reasoning: 0, cache: { write, read } };
}

const statusCodes = { authentication: 401, limit: 429, other: 500 };

function errorOf({ kind, message, resetAt }: Failure, at: number): object {
  if (kind === "model") return { name: "ProviderModelNotFoundError", data: { message } };
  const statusCode = statusCodes[kind];
  // The header counts whole seconds from now on.
  const responseHeaders = resetAt === null ? {} : { "retry-after": String(Math.ceil((resetAt - at) / 1000)) };
  return { name: "APIError", data: { message, statusCode, isRetryable: kind !== "authentication", responseHeaders } };
}
