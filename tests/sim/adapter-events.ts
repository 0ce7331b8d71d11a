import type { AgentEvent } from "../../src/core/agents/agent-event.ts";
import type { AgentAdapter, StreamReader } from "../../src/shell/agents/adapter.ts";
import { ampAdapter } from "../../src/shell/agents/amp/amp-adapter.ts";
import { claudeAdapter } from "../../src/shell/agents/claude/claude-adapter.ts";
import { codexAdapter } from "../../src/shell/agents/codex/codex-adapter.ts";
import { opencodeAdapter } from "../../src/shell/agents/opencode/opencode-adapter.ts";

/** The adapters whose streams the scripted agent speaks. */
export const spokenAdapters = [claudeAdapter, codexAdapter, ampAdapter, opencodeAdapter] as const;

export type ReadStream = { events: AgentEvent[]; unknownLines: string[]; brokenLines: string[]; reader: StreamReader };

/** Reads a whole stream by an adapter, keeping what it did not understand. */
export function readStream(adapter: AgentAdapter, stdout: string): ReadStream {
  const reader = adapter.createReader([]);
  if (reader === null) throw new Error(`${adapter.name} has no reader`);
  const read: ReadStream = { events: [], unknownLines: [], brokenLines: [], reader };
  for (const line of stdout.split("\n").filter((text) => text !== "")) {
    const value = parse(line);
    if (value === undefined) {
      read.brokenLines.push(line);
      continue;
    }
    const events = reader.read(value);
    if (events === "unknown") read.unknownLines.push(line);
    else read.events.push(...events);
  }
  return read;
}

/** The events of one type. */
export function eventsOf<Type extends AgentEvent["type"]>(
  { events }: ReadStream,
  type: Type,
): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

/** The main thread's text as the claim scanner joins it: one message by nothing, messages by a newline. */
export function mainText(read: ReadStream): string {
  const messages = new Map<string, string>();
  for (const { messageId, text, isSub } of eventsOf(read, "text")) {
    if (!isSub) messages.set(messageId, (messages.get(messageId) ?? "") + text);
  }
  return [...messages.values()].join("\n");
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
