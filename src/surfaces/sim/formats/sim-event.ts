import type { Failure, TodoItem } from "../../../core/agents/agent-event.ts";
import type { Spend } from "../../../core/agents/spend.ts";

/** What stays the same over one invocation. */
export type SimSession = { sessionId: string; model: string; cwd: string; prompt: string };

/** A tool the scripted agent uses. Files are absolute paths. */
export type SimTool =
  | { kind: "run"; command: string }
  | { kind: "write"; file: string; content: string; isNew: boolean }
  | { kind: "replace"; file: string; find: string; replace: string }
  | { kind: "todo"; items: TodoItem[]; isFirst: boolean }
  | { kind: "subagent"; text: string };

/** How a tool ended. `exitCode` is null for tools that are no commands. */
export type ToolEnd = { output: string; exitCode: number | null; isError: boolean; isDenied: boolean };

export type DeniedTool = { toolId: number; tool: SimTool };

/**
 * What the scripted agent does, before any format gives it a shape. `count` numbers the events from 1, `at` is the
 * time in ms; with both, a writer needs no memory, clock or chance of its own.
 */
export type SimEvent = { count: number; at: number } & (
  | { type: "began" }
  | { type: "message-started"; messageId: number }
  /** `chunks` joined are the text; formats with blocks write one block for each. */
  | { type: "text"; messageId: number; chunks: string[]; spend: Spend }
  | { type: "thinking"; messageId: number; text: string; spend: Spend }
  | { type: "echo"; messageId: number }
  | { type: "tool-started"; messageId: number; toolId: number; tool: SimTool; spend: Spend }
  | { type: "tool-ended"; messageId: number; toolId: number; tool: SimTool; end: ToolEnd }
  | { type: "message-ended"; messageId: number; isLast: boolean; spend: Spend }
  | {
      type: "result";
      index: number;
      messages: number;
      text: string;
      failure: Failure | null;
      /** Of the whole invocation so far, and of the part since the result before. */
      spend: Spend;
      spendSince: Spend;
      denied: DeniedTool[];
    }
);

/** Turns one event into what goes to standard output. Pure: equal events give equal bytes. */
export type FormatWriter = (event: SimEvent, session: SimSession) => string[];

/** One line of NDJSON. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** A number as the last digits of a uuid, so that ids are unique within a stream and equal in every run. */
export function numberedUuid(count: number): string {
  return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
}
