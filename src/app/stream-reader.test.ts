import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../core/agents/agent-event.ts";
import type { TurnReport } from "../core/agents/turn-report.ts";
import { createStreamReader, streamAgents, type StreamReaderOptions } from "./stream-reader.ts";

const streams = join(import.meta.dirname, "..", "..", "tests", "fixtures", "streams");

/** Reads a stream in pieces of `size` bytes. */
function readAll(
  agent: string,
  bytes: Uint8Array,
  { size, ...options }: StreamReaderOptions & { size: number },
): { events: AgentEvent[]; report: TurnReport } {
  const reader = createStreamReader(agent, options);
  const events: AgentEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...reader.push(bytes.subarray(at, at + size)));
  const end = reader.end({ exitCode: 0 });
  return { events: [...events, ...end.events], report: end.report };
}

describe("createStreamReader", () => {
  it("knows every agent of the registry, and plain text", () => {
    expect(streamAgents()).toContain("command");
    for (const agent of streamAgents()) expect(createStreamReader(agent).agent).toBe(agent);
  });

  it.each([
    ["amp", "documented-tools.ndjson"],
    ["claude", "tools.ndjson"],
    ["codex", "tools.ndjson"],
    ["copilot", "tools.ndjson"],
    ["gemini", "tools.ndjson"],
    ["opencode", "tools.ndjson"],
  ])("reads the recorded stream of %s, wherever it is cut", (agent, file) => {
    const bytes = readFileSync(join(streams, agent, file));
    const whole = readAll(agent, bytes, { size: bytes.length });
    expect(whole.report).toMatchObject({ exitCode: 0, isEmpty: false, failure: null });
    expect(whole.events.map(({ type }) => type)).toEqual(expect.arrayContaining(["text", "tool-started"]));
    expect(readAll(agent, bytes, { size: 7 })).toEqual(whole);
  });

  it("finds the claim of a plain program, but not the echo of its prompt", () => {
    const options = { size: 3, promise: "SHIPPED", prompt: "Say\n<promise>SHIPPED</promise>\n" };
    const bytes = (words: string): Uint8Array => new TextEncoder().encode(words);
    const claimed = readAll("command", bytes("All is well.\n<promise>shipped</promise>\n"), options);
    expect(claimed.report.claims).toMatchObject({ isPromised: true });
    const echoed = readAll("command", bytes(options.prompt), options);
    expect(echoed.report.claims).toMatchObject({ isPromised: false });
  });

  it("takes text as well as bytes, and passes over what it does not know", () => {
    const reader = createStreamReader("claude");
    expect(reader.push("no json\n{}\n")).toEqual([]);
    expect(reader.push('{"type":"system","subtype":"init","session_id":"s1","model":"m"}\n')).toEqual([
      { type: "session", sessionId: "s1", model: "m" },
    ]);
    const { report } = reader.end({ exitCode: 1, errorOutput: "gone" });
    expect(report).toMatchObject({ sessionId: "s1", result: "none", exitCode: 1, errorOutput: "gone" });
    expect(report.output).toMatchObject({ lines: 3, unparsedLines: 2 });
    expect(() => reader.push("x")).toThrow("The stream reader has ended.");
  });

  it("refuses an agent and options it does not know by name", () => {
    expect(() => createStreamReader("clod")).toThrow(/^createStreamReader: agent is "clod", expected .*"claude"/);
    const placement = "somewhere" as unknown as "anywhere";
    expect(() => createStreamReader("claude", { placement })).toThrow(
      'createStreamReader: option placement is "somewhere", expected "own-sentence" or "own-line" or "anywhere".',
    );
  });
});
