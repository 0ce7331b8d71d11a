import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import { createCodexReader } from "./codex-reader.ts";

function readAll(...lines: object[]): AgentEvent[] {
  const reader = createCodexReader();
  return lines.flatMap((line) => {
    const events = reader.read(line);
    if (events === "unknown") throw new Error(`unknown: ${JSON.stringify(line)}`);
    return events;
  });
}

const completed = (item: object) => ({ type: "item.completed", item });
const failed = (message: string) => readAll({ type: "turn.failed", error: { message } })[0];

describe("createCodexReader", () => {
  it("reads thread, command, words and usage (S1-71)", () => {
    const command = { id: "i1", type: "command_execution", command: "make test", status: "in_progress" };
    const events = readAll(
      { type: "thread.started", thread_id: "t" },
      { type: "turn.started" },
      { type: "item.started", item: command },
      completed({ ...command, aggregated_output: "no", exit_code: 2, status: "failed" }),
      completed({ id: "i2", type: "reasoning", text: "hm" }),
      completed({ id: "i3", type: "agent_message", text: "Done" }),
      { type: "turn.completed", usage: { input_tokens: 100, cached_input_tokens: 60, output_tokens: 7 } },
    );
    const spend = { usd: null, inputTokens: 40, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 0 };
    expect(events).toEqual([
      { type: "session", sessionId: "t", model: null },
      {
        type: "tool-started",
        toolId: "i1",
        name: "command_execution",
        summary: "make test",
        canChange: true,
        isSub: false,
      },
      { type: "tool-ended", toolId: "i1", name: "command_execution", output: "no", isError: true, isDenied: false },
      { type: "thinking", text: "hm", isSub: false },
      { type: "text", text: "Done", messageId: "i3", isSub: false },
      { type: "result", isSuccess: true, text: null, failure: null, spend },
    ]);
  });

  it("takes words once, when they are whole", () => {
    const item = { id: "i", type: "agent_message", text: "part" };
    expect(readAll({ type: "item.started", item }, { type: "item.updated", item }, completed(item))).toHaveLength(1);
  });

  it("starts a tool that only shows at its end, and names tools of other servers", () => {
    const call = {
      id: "i",
      type: "mcp_tool_call",
      server: "docs",
      tool: "find",
      arguments: { query: "x" },
      status: "completed",
    };
    const result = { content: [{ type: "text", text: "found" }] };
    expect(readAll(completed({ ...call, result }))).toMatchObject([
      { type: "tool-started", name: "docs.find", summary: "x", canChange: false },
      { type: "tool-ended", name: "docs.find", output: "found", isError: false },
    ]);
  });

  it("tells a declined command as denied", () => {
    const item = { id: "i", type: "command_execution", command: "rm", status: "declined" };
    expect(readAll(completed(item)).at(-1)).toMatchObject({ isError: true, isDenied: true });
  });

  it("takes an item of type error for a warning", () => {
    expect(readAll(completed({ id: "i", type: "error", message: "odd" }))).toEqual([{ type: "notice", text: "odd" }]);
  });

  it("takes a reconnect for a retry, which is not fatal", () => {
    expect(readAll({ type: "error", message: "Reconnecting... 2/5 (unexpected status 500 x)" })).toEqual([
      { type: "retry", attempt: 2, attemptsMax: 5, delayMs: null, reason: "unexpected status 500 x" },
    ]);
    const waiting = { type: "error", message: "Reconnecting... waiting for network (refused)" };
    expect(readAll(waiting, waiting)).toMatchObject([
      { attempt: 1, attemptsMax: null, reason: "refused" },
      { attempt: 2, attemptsMax: null },
    ]);
  });

  it.each([
    ["unexpected status 401 Unauthorized: x", "authentication"],
    ["unexpected status 403 Forbidden", "authentication"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "limit"],
    ['{"error":{"code":"model_not_found"}}', "model"],
    ["unexpected status 500 x: status 401", "other"],
    ["The key has status 401", "other"],
    ["unexpected status 4010", "other"],
    ["{401", "other"],
    ["Quota exceeded.", "other"],
  ])("judges %j as %s by its structured parts alone", (message, kind) => {
    expect(failed(message)).toEqual({
      type: "result",
      isSuccess: false,
      text: null,
      failure: { kind, message, resetAt: null },
      spend: null,
    });
  });

  it("remembers an error until the model works again", () => {
    const reader = createCodexReader();
    reader.read({ type: "error", message: "Reconnecting... 1/5 (unexpected status 401 x)" });
    expect(reader.failure()?.kind).toBe("authentication");
    reader.read({ type: "item.started", item: { id: "i", type: "command_execution" } });
    expect(reader.failure()).toBeNull();
  });

  it("does not know new lines and items (S1-73)", () => {
    const reader = createCodexReader();
    for (const line of [
      null,
      "x",
      {},
      { type: "new" },
      { type: "thread.started" },
      completed({ type: "new" }),
      completed([]),
    ]) {
      expect(reader.read(line)).toBe("unknown");
    }
  });
});
