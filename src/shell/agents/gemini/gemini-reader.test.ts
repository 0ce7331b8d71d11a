import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import { createGeminiReader } from "./gemini-reader.ts";

function readAll(...lines: object[]): AgentEvent[] {
  const reader = createGeminiReader();
  return lines.flatMap((line) => {
    const events = reader.read(line);
    if (events === "unknown") throw new Error(`unknown: ${JSON.stringify(line)}`);
    return events;
  });
}

const init = { type: "init", session_id: "s", model: "m" };
const says = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
const uses = (name: string, parameters: object = {}) => ({
  type: "tool_use",
  tool_name: name,
  tool_id: "t",
  parameters,
});
const ends = (more: object) => ({ type: "tool_result", tool_id: "t", ...more });
const stats = { total_tokens: 1070, input_tokens: 1000, output_tokens: 50, cached: 300 };

function failureOf(message: string, more: object = {}) {
  const error = { type: "unknown", message, ...more };
  const [result] = readAll({ type: "result", status: "error", timestamp: "2026-11-15T19:00:00.000Z", error, stats });
  return result?.type === "result" ? result.failure : null;
}

const apiError = (body: object) => `[API Error: ${JSON.stringify({ error: body })}]`;

describe("createGeminiReader", () => {
  it("reads session, command, words and usage", () => {
    const events = readAll(
      init,
      { type: "message", role: "user", content: "<promise>DONE</promise>" },
      uses("run_shell_command", { command: "make test" }),
      ends({ status: "success", output: "fine" }),
      says("Done"),
      { type: "result", status: "success", stats },
    );
    expect(events).toEqual([
      { type: "session", sessionId: "s", model: "m" },
      {
        type: "tool-started",
        toolId: "t",
        name: "run_shell_command",
        summary: "make test",
        canChange: true,
        isSub: false,
      },
      { type: "tool-ended", toolId: "t", name: "run_shell_command", output: "fine", isError: false, isDenied: false },
      { type: "text", text: "Done", messageId: "message-1", isSub: false },
      {
        type: "result",
        isSuccess: true,
        text: null,
        failure: null,
        // What was thought is in no count but the total.
        spend: { usd: null, inputTokens: 700, outputTokens: 70, cacheReadTokens: 300, cacheWriteTokens: 0 },
      },
    ]);
  });

  it("joins the pieces of one message and parts it from the message after a tool (R-06)", () => {
    const ids = readAll(says("<prom"), says("ise>"), uses("glob"), says("next")).flatMap((event) =>
      event.type === "text" ? [event.messageId] : [],
    );
    expect(ids).toEqual(["message-0", "message-0", "message-1"]);
  });

  it("follows the todo list", () => {
    const todos = [
      { description: "a", status: "in_progress" },
      { description: "b", status: "blocked" },
    ];
    expect(readAll(uses("write_todos", { todos }))[1]).toEqual({
      type: "todo",
      items: [
        { text: "a", status: "active" },
        { text: "b", status: "pending" },
      ],
    });
  });

  it.each([
    ["write_file", "tool_not_registered", true],
    ["read_file", "policy_violation", true],
    ["made_up", "tool_not_registered", false],
    ["read_file", "file_not_found", false],
  ])("takes %s with %s for denied: %s", (name, type, isDenied) => {
    const events = readAll(uses(name), ends({ status: "error", error: { type, message: "no" } }));
    expect(events[1]).toMatchObject({ isError: true, isDenied, output: "no" });
  });

  it.each([
    [apiError({ code: 401, message: "x" }), "authentication"],
    [apiError({ code: 403, message: "x" }), "authentication"],
    [apiError({ code: 400, message: "x", details: [{ reason: "API_KEY_INVALID" }] }), "authentication"],
    [apiError({ code: 404, message: "x" }), "model"],
    [apiError({ code: 400, message: "API key not valid" }), "other"],
    ["[API Error: {401}]", "other"],
    ["The key has code 401", "other"],
  ])("judges %j as %s by its structured parts alone", (message, kind) => {
    expect(failureOf(message)).toMatchObject({ kind, resetAt: null });
  });

  it("knows when a limit ends from the delay that the API names", () => {
    const details = [{ "@type": "x" }, { retryDelay: "34.5s" }];
    const message = `${apiError({ code: 429, message: "Slow down", details })}\nPlease wait and try again later.`;
    expect(failureOf(message)).toEqual({
      kind: "limit",
      message: "Slow down",
      resetAt: Date.parse("2026-11-15T19:00:34.500Z"),
    });
    expect(failureOf(apiError({ code: 429, message: "Slow down" }))).toMatchObject({ kind: "limit", resetAt: null });
  });

  it("names the fault before a result that names none", () => {
    const fault = { type: "error", severity: "error", message: "The answer was empty." };
    const result = { type: "result", status: "error", stats };
    expect(readAll(fault, result)).toMatchObject([
      { type: "notice", text: "The answer was empty." },
      { isSuccess: false, failure: { kind: "other", message: "The answer was empty." } },
    ]);
  });

  it("takes a stream without a result for a failure: a signal ends the program with exit code 0 (R-18)", () => {
    const reader = createGeminiReader();
    expect(reader.failure()).toBeNull();
    reader.read(init);
    expect(reader.failure()).toMatchObject({ kind: "other", message: "The agent ended without a result." });
    reader.read({ type: "result", status: "success", stats });
    expect(reader.failure()).toBeNull();
  });

  it("does not know new lines (S1-73)", () => {
    for (const line of [null, "x", {}, { type: "new" }, { type: "init" }, { type: "message" }, { type: "tool_use" }])
      expect(createGeminiReader().read(line)).toBe("unknown");
  });
});
