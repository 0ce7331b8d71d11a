import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { createMessageStreamReader } from "./message-stream-reader.ts";

/** Reads lines with a fresh reader; every line must be known. */
function readAll(...lines: object[]): AgentEvent[] {
  const reader = createMessageStreamReader(new Set(["Bash", "Write"]));
  return lines.flatMap((line) => {
    const events = reader.read(line);
    if (events === "unknown") throw new Error(`unknown: ${JSON.stringify(line)}`);
    return events;
  });
}

function assistant(content: unknown, more: object = {}): object {
  return { type: "assistant", message: { id: "m1", model: "x", content }, parent_tool_use_id: null, ...more };
}

function toolResult(id: string, more: object = {}, lineMore: object = {}): object {
  const block = { type: "tool_result", tool_use_id: id, content: "out", ...more };
  return { type: "user", message: { role: "user", content: [block] }, parent_tool_use_id: null, ...lineMore };
}

const call = (id: string, name: string, input: object) => assistant([{ type: "tool_use", id, name, input }]);
const answer = (id: string, details: object) => toolResult(id, {}, { tool_use_result: details });

const denials = (events: AgentEvent[]) =>
  events.flatMap((event) => (event.type === "tool-ended" ? [event.isDenied] : []));

const isSuccess = (line: object) =>
  readAll({ type: "result", ...line }).map((event) => event.type === "result" && event.isSuccess);

const bash = { type: "tool_use", id: "t1", name: "Bash", input: { command: "make\ntest" } };

describe("createMessageStreamReader", () => {
  it("reads session, text, thinking and tools (S1-68, S1-69)", () => {
    const events = readAll(
      { type: "system", subtype: "init", session_id: "s", model: "big" },
      assistant([{ type: "thinking", thinking: "hm" }]),
      assistant([{ type: "text", text: "hello" }]),
      assistant([bash]),
      toolResult("t1", {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
        is_error: true,
      }),
    );
    expect(events).toEqual([
      { type: "session", sessionId: "s", model: "big" },
      { type: "thinking", text: "hm", isSub: false },
      { type: "text", text: "hello", messageId: "m1", isSub: false },
      { type: "tool-started", toolId: "t1", name: "Bash", summary: "make test", canChange: true, isSub: false },
      { type: "tool-ended", toolId: "t1", name: "Bash", output: "a\nb", isError: true, isDenied: false },
    ]);
  });

  it("takes lines without an id for messages of their own, whose tokens add up (R-06)", () => {
    const line = (text: string) => ({
      type: "assistant",
      message: { content: [{ type: "text", text }], usage: { input_tokens: 100, output_tokens: 10 } },
    });
    const events = readAll(line("I work"), line("<promise>DONE</promise>"));
    expect(events).toMatchObject([
      { type: "text", messageId: "unnamed-1" },
      { type: "usage", spend: { inputTokens: 100, outputTokens: 10 } },
      { type: "text", messageId: "unnamed-2" },
      { type: "usage", spend: { inputTokens: 200, outputTokens: 20 } },
    ]);
  });

  it("tells the session once, though a process that answers twice repeats it", () => {
    const init = { type: "system", subtype: "init", session_id: "s" };
    expect(readAll(init, init)).toHaveLength(1);
  });

  it("reads the session of a system line without a subtype, once (S1-69)", () => {
    const start = { type: "system", session_id: "s" };
    expect(readAll(start, start)).toEqual([{ type: "session", sessionId: "s", model: null }]);
  });

  it.each(["TodoWrite", "todo_write", "TaskCreate", "TaskUpdate", "TaskList"])(
    "marks a call of %s as one whose list is told apart, but not that of a sub-agent (S1-70)",
    (name) => {
      const use = { type: "tool_use", id: "t1", name, input: {} };
      expect(readAll(assistant([use]))[0]).toMatchObject({ type: "tool-started", isTodo: true });
      expect(readAll(assistant([use], { parent_tool_use_id: "t0" }))[0]).not.toHaveProperty("isTodo");
    },
  );

  it("marks words and tools of a sub-agent (R-02)", () => {
    const events = readAll(
      assistant([{ type: "text", text: "<promise>DONE</promise>" }, bash], { parent_tool_use_id: "t0" }),
    );
    expect(events.map((event) => "isSub" in event && event.isSub)).toEqual([true, true]);
  });

  it("takes no words from user lines, be they the prompt, hook feedback or a plain string (R-01)", () => {
    const text = "<promise>DONE</promise>";
    expect(
      readAll(
        { type: "user", message: { role: "user", content: text } },
        { type: "user", isSynthetic: true, message: { role: "user", content: [{ type: "text", text }] } },
      ),
    ).toEqual([]);
  });

  it("shows the program's own words as a notice, never as text", () => {
    const line = {
      type: "assistant",
      message: { id: "m", model: "<synthetic>", content: [{ type: "text", text: "No" }] },
    };
    expect(readAll(line)).toEqual([{ type: "notice", text: "No" }]);
  });

  it("follows a todo list that is written whole (S1-70)", () => {
    const todos = [
      { content: "a", status: "completed" },
      { content: "b", status: "in_progress" },
      { content: "c", status: "pending" },
    ];
    const events = readAll(assistant([{ type: "tool_use", id: "t", name: "TodoWrite", input: { todos } }]));
    expect(events.at(-1)).toEqual({
      type: "todo",
      items: [
        { text: "a", status: "done" },
        { text: "b", status: "active" },
        { text: "c", status: "pending" },
      ],
    });
  });

  it("follows a todo list of single tasks: created, changed, deleted and listed (S1-70)", () => {
    const lists = readAll(
      call("1", "TaskCreate", { subject: "a" }),
      answer("1", { task: { id: "1", subject: "a" } }),
      call("2", "TaskUpdate", { taskId: "1", status: "in_progress" }),
      answer("2", { success: true }),
      call("3", "TaskUpdate", { taskId: "1", status: "completed" }),
      answer("3", { success: false }),
      call("4", "TaskUpdate", { taskId: "1", status: "deleted" }),
      answer("4", { success: true }),
      call("5", "TaskList", {}),
      answer("5", { tasks: [{ id: "2", subject: "b", status: "completed" }] }),
    ).flatMap((event) => (event.type === "todo" ? [event.items] : []));
    expect(lists).toEqual([
      [{ text: "a", status: "pending" }],
      [{ text: "a", status: "active" }],
      [],
      [{ text: "b", status: "done" }],
    ]);
  });

  it("tells a denied tool when it ends, or with the result in older versions", () => {
    const denial = { tool_use_id: "t1", tool_name: "Bash" };
    const result = { type: "result", subtype: "success", is_error: false, permission_denials: [denial] };
    const early = readAll(
      assistant([bash]),
      { type: "system", subtype: "permission_denied", tool_use_id: "t1" },
      toolResult("t1"),
      result,
    );
    const late = readAll(assistant([bash]), toolResult("t1"), result);
    expect(denials(early)).toEqual([true]);
    expect(denials(late)).toEqual([false, true]);
  });

  it("takes a tool that a hook refused for failed, not for denied: no permission would allow it", () => {
    const content = "PreToolUse:Bash hook error: Refused by the command guard: it removes the home";
    const result = { type: "result", permission_denials: [{ tool_use_id: "t1", tool_name: "Bash" }] };
    const refused = readAll(assistant([bash]), toolResult("t1", { content, is_error: true }), result);
    expect(denials(refused)).toEqual([false]);
    // A command that printed the same words ran.
    const printed = readAll(assistant([bash]), toolResult("t1", { content }), result);
    expect(denials(printed)).toEqual([false, true]);
  });

  it("counts the usage of each message once and takes the result's price (S1-68, S1-69)", () => {
    const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 5, cache_creation_input_tokens: 2 };
    const line = { type: "assistant", message: { id: "m1", content: [], usage } };
    const other = { type: "assistant", message: { id: "m2", content: [], usage } };
    const result = {
      type: "result",
      is_error: false,
      total_cost_usd: 0.5,
      usage: { ...usage, input_tokens: 20, output_tokens: 30 },
    };
    const spends = readAll(line, line, other, result).map((event) => "spend" in event && event.spend);
    expect(spends).toEqual([
      { usd: null, inputTokens: 10, outputTokens: 1, cacheReadTokens: 5, cacheWriteTokens: 2 },
      { usd: null, inputTokens: 20, outputTokens: 2, cacheReadTokens: 10, cacheWriteTokens: 4 },
      { usd: 0.5, inputTokens: 20, outputTokens: 30, cacheReadTokens: 10, cacheWriteTokens: 4 },
    ]);
  });

  it("counts a continued session from this process on where the result tells what came since the last one", () => {
    const result = (model: object) => ({
      type: "result",
      is_error: false,
      total_cost_usd: 9,
      modelUsage: { m: { inputTokens: 9000, outputTokens: 900 } },
      model_usage_since_last_result: { m: model },
    });
    const known = { inputTokens: 100, outputTokens: 10, costUSD: 0.25 };
    const spends = readAll(result(known), result(known), result({ ...known, costUSD: null }), result(known)).map(
      (event) => "spend" in event && event.spend,
    );
    expect(spends).toMatchObject([
      { usd: 0.25, inputTokens: 100, outputTokens: 10 },
      { usd: 0.5, inputTokens: 200, outputTokens: 20 },
      { usd: null, inputTokens: 300, outputTokens: 30 },
      { usd: null, inputTokens: 400, outputTokens: 40 },
    ]);
  });

  it("is an error when is_error says so, whatever the subtype is, and the other way round (R-18)", () => {
    expect(isSuccess({ subtype: "success", is_error: true, result: "<promise>DONE</promise>" })).toEqual([false]);
    expect(isSuccess({ subtype: "error_max_turns", is_error: false })).toEqual([false]);
    expect(isSuccess({ subtype: "success", is_error: false })).toEqual([true]);
  });

  it("reads an error that is one string (S1-72)", () => {
    const [event] = readAll({ type: "result", subtype: "error_during_execution", is_error: true, error: "broke" });
    expect(event).toMatchObject({ isSuccess: false, failure: { kind: "other", message: "broke", resetAt: null } });
  });

  it.each([
    [{ error: "authentication_failed" }, {}, "authentication"],
    [{ error: "model_not_found", api_error_status: 404 }, {}, "model"],
    [{ error: "rate_limit" }, {}, "limit"],
    [{ error: "unknown" }, { api_error_status: 401 }, "authentication"],
    [{ error: "server_error" }, { api_error_status: 500 }, "other"],
  ])("judges a failure by its fields: %j and %j are %s", (messageFields, resultFields, kind) => {
    const words = { type: "assistant", message: { model: "<synthetic>", content: "usage limit, authentication" } };
    const result = { type: "result", subtype: "success", is_error: true, result: "no", ...resultFields };
    const failures = readAll({ ...words, ...messageFields }, result).flatMap((event) =>
      event.type === "result" ? [event.failure?.kind] : [],
    );
    expect(failures).toEqual([kind]);
  });

  it("knows when a refused usage limit ends, in seconds of the stream", () => {
    const events = readAll(
      { type: "rate_limit_event", rate_limit_info: { status: "allowed", resetsAt: 1 } },
      { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: 1_800_000_000 } },
      { type: "result", subtype: "success", is_error: true, api_error_status: 429 },
    );
    expect(events.at(-1)).toMatchObject({ failure: { kind: "limit", resetAt: 1_800_000_000_000 } });
  });

  it("remembers a failure until the model answers again", () => {
    const reader = createMessageStreamReader(new Set());
    reader.read({ type: "assistant", error: "rate_limit", message: { model: "<synthetic>", content: "slow down" } });
    expect(reader.failure()).toEqual({ kind: "limit", message: "slow down", resetAt: null });
    reader.read(assistant([{ type: "text", text: "on" }]));
    expect(reader.failure()).toBeNull();
  });

  it("tells retries with their reason", () => {
    const line = {
      type: "system",
      subtype: "api_retry",
      attempt: 2,
      max_retries: 10,
      retry_delay_ms: 500.5,
      error_status: 529,
      error: "overloaded",
    };
    expect(readAll(line)).toEqual([
      { type: "retry", attempt: 2, attemptsMax: 10, delayMs: 500.5, reason: "overloaded (529)" },
    ]);
  });

  it("does not know new types and subtypes, nor lines without a message (S1-73)", () => {
    const reader = createMessageStreamReader(new Set());
    for (const line of [
      null,
      1,
      [],
      {},
      { type: "new" },
      { type: "system", subtype: "new" },
      { type: "assistant" },
      { type: "user" },
    ]) {
      expect(reader.read(line)).toBe("unknown");
    }
  });
});
