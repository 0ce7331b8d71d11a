import { readFileSync } from "node:fs";
import type { AgentEvent } from "../../src/core/agents/agent-event.ts";
import type { AgentAdapter } from "../../src/shell/agents/adapter.ts";
import { objectOf } from "../../src/shell/streams/json-value.ts";
import { createTurnReader, type StreamFacts } from "../../src/shell/streams/turn-reader.ts";

const folder = new URL("../fixtures/streams/", import.meta.url);

/** Names of the recorded streams of one agent, from its index; the few that are no event streams are left out. */
export function recordedStreams(agent: string): string[] {
  const index: unknown = JSON.parse(readFileSync(new URL(`${agent}/index.json`, folder), "utf8"));
  return Object.keys(objectOf(objectOf(index)["files"]))
    .filter((file) => file.endsWith(".ndjson"))
    .map((file) => file.replace(".ndjson", ""));
}

/** Reads one recorded stream as a turn, in pieces of `chunkBytes`. */
export function replay(
  adapter: AgentAdapter,
  path: string,
  chunkBytes = 65_536,
): { facts: StreamFacts; events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  const reader = createTurnReader({
    adapter,
    flags: [],
    prompt: "Go",
    expected: "DONE",
    placement: "own-sentence",
    signals: ["promise", "response"],
    onEvent: (event) => events.push(event),
  });
  const bytes = readFileSync(new URL(path, folder));
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  return { facts: reader.end(), events };
}
