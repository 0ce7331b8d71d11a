import { describe, expect, it } from "vitest";
import { createOpencodeReader } from "./opencode-reader.ts";

const line = (type: string, part: object) => ({ type, sessionID: "s", timestamp: 1000, part });
const tool = (name: string, state: object) => line("tool_use", { tool: name, callID: "c", state });
const error = (name: string, data: object) => ({
  type: "error",
  sessionID: "s",
  timestamp: 1000,
  error: { name, data },
});

function readOne(value: object) {
  const events = createOpencodeReader().read(value);
  return events === "unknown" ? events : events.filter(({ type }) => type !== "session");
}

describe("createOpencodeReader", () => {
  it("tells the session once, from the first line", () => {
    const reader = createOpencodeReader();
    expect(reader.read(line("step_start", {}))).toEqual([{ type: "session", sessionId: "s", model: null }]);
    expect(reader.read(line("step_start", {}))).toEqual([]);
  });

  it("reads words, but not those the program made up", () => {
    const text = "<promise>DONE</promise>";
    expect(readOne(line("text", { text, messageID: "m" }))).toEqual([
      { type: "text", text, messageId: "m", isSub: false },
    ]);
    expect(readOne(line("text", { text, messageID: "m", synthetic: true }))).toEqual([]);
    expect(readOne(line("reasoning", { text }))).toEqual([{ type: "thinking", text, isSub: false }]);
  });

  it("tells a tool's start and end together, and judges a command by its exit code", () => {
    const state = { status: "completed", input: { command: "make" }, output: "no", metadata: { exit: 3 } };
    expect(readOne(tool("bash", state))).toEqual([
      { type: "tool-started", toolId: "c", name: "bash", summary: "make", canChange: true, isSub: false },
      { type: "tool-ended", toolId: "c", name: "bash", output: "no", isError: true, isDenied: false },
    ]);
  });

  it("takes a call that was not valid for a failed one of the tool it meant", () => {
    const events = readOne(tool("invalid", { status: "completed", input: { tool: "fly" }, output: "no such" }));
    expect(events).toMatchObject([{ name: "fly" }, { name: "fly", isError: true, isDenied: false }]);
  });

  it("tells a permission that nobody gave as denied, and no other failure", () => {
    const rejected = {
      status: "error",
      input: {},
      error: "The user rejected permission to use this specific tool call.",
    };
    const echoed = { status: "completed", input: {}, output: rejected.error };
    expect(readOne(tool("write", rejected))).toMatchObject([{}, { isError: true, isDenied: true }]);
    expect(readOne(tool("bash", echoed))).toMatchObject([{}, { isError: false, isDenied: false }]);
  });

  it("follows the todo list", () => {
    const todos = [{ content: "a", status: "in_progress", priority: "high" }];
    const events = readOne(tool("todowrite", { status: "completed", input: { todos } }));
    expect(events).toContainEqual({ type: "todo", items: [{ text: "a", status: "active" }] });
  });

  it("adds up steps; a price of zero for used tokens is unknown, so the sum is only the least it cost", () => {
    const tokens = { input: 10, output: 2, reasoning: 1, cache: { read: 4, write: 3 } };
    const reader = createOpencodeReader();
    reader.read(line("step_finish", { tokens, cost: 0.25 }));
    expect(reader.read(line("step_finish", { tokens, cost: 0.5 }))).toEqual([
      {
        type: "usage",
        spend: { usd: 0.75, inputTokens: 20, outputTokens: 6, cacheReadTokens: 8, cacheWriteTokens: 6 },
      },
    ]);
    expect(reader.read(line("step_finish", { tokens, cost: 0 }))).toMatchObject([
      { spend: { usd: 0.75, isPartial: true, inputTokens: 30 } },
    ]);
  });

  it("knows only the least a turn with a sub-agent cost: its steps show nowhere", () => {
    const reader = createOpencodeReader();
    reader.read(tool("task", { status: "completed", input: {}, output: "" }));
    const events = reader.read(line("step_finish", { tokens: { input: 10, output: 2 }, cost: 0.25 }));
    expect(events).toMatchObject([{ type: "usage", spend: { usd: 0.25, isPartial: true } }]);
  });

  it.each([
    [error("APIError", { message: "x", statusCode: 401 }), "authentication", null],
    [error("APIError", { message: "x", statusCode: 403 }), "authentication", null],
    [error("APIError", { message: "x", statusCode: 429, responseHeaders: { "retry-after": "60" } }), "limit", 61_000],
    [error("APIError", { message: "x", statusCode: 429 }), "limit", null],
    [error("APIError", { message: "rate limit 401", statusCode: 500 }), "other", null],
    [error("ProviderModelNotFoundError", { message: "x" }), "model", null],
  ])("remembers the failure %j as %s", (value, kind, resetAt) => {
    const reader = createOpencodeReader();
    reader.read(value);
    expect(reader.failure()).toMatchObject({ kind, resetAt });
  });

  it("forgets a failure when a later step succeeds", () => {
    const reader = createOpencodeReader();
    reader.read(error("ContextOverflowError", { message: "long" }));
    reader.read(line("step_finish", {}));
    expect(reader.failure()).toBeNull();
  });

  it("does not know new lines (S1-73)", () => {
    for (const value of [{}, { type: "new" }]) expect(readOne(value)).toBe("unknown");
    expect(createOpencodeReader().read(null)).toBe("unknown");
  });
});
