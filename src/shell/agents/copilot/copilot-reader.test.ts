import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import { createCopilotReader } from "./copilot-reader.ts";

function readAll(...lines: object[]): AgentEvent[] {
  const reader = createCopilotReader();
  return lines.flatMap((line) => {
    const events = reader.read(line);
    if (events === "unknown") throw new Error(`unknown: ${JSON.stringify(line)}`);
    return events;
  });
}

const event = (type: string, data: object, more: object = {}) => ({ type, data, id: "e", ...more });
const says = (content: string, more: object = {}) => event("assistant.message", { messageId: "m", content }, more);
const starts = (toolName: string, input: object = {}) =>
  event("tool.execution_start", { toolCallId: "t", toolName, arguments: input });
const ends = (data: object) => event("tool.execution_complete", { toolCallId: "t", ...data });
const result = (exitCode: number) => ({ type: "result", sessionId: "s", exitCode, usage: {} });

describe("createCopilotReader", () => {
  it("reads words, a command by its exit code, and the session from the result", () => {
    const events = readAll(
      event("session.tools_updated", { model: "gpt" }),
      event("user.message", { content: "<promise>DONE</promise>" }),
      event("assistant.reasoning", { content: "hm" }),
      starts("bash", { command: "make" }),
      ends({ success: true, result: { content: "no" }, shellExecution: { exitCode: 3 } }),
      says("Done"),
      result(0),
    );
    expect(events).toEqual([
      { type: "thinking", text: "hm", isSub: false },
      { type: "tool-started", toolId: "t", name: "bash", summary: "make", canChange: true, isSub: false },
      { type: "tool-ended", toolId: "t", name: "bash", output: "no", isError: true, isDenied: false },
      { type: "text", text: "Done", messageId: "m", isSub: false },
      { type: "session", sessionId: "s", model: "gpt" },
      { type: "result", isSuccess: true, text: null, failure: null, spend: null },
    ]);
  });

  it("takes a message once, when it is whole (R-06)", () => {
    const delta = event("assistant.message_delta", { messageId: "m", deltaContent: "All done." });
    expect(readAll(delta, says("All done."))).toEqual([
      { type: "text", text: "All done.", messageId: "m", isSub: false },
    ]);
  });

  it("marks what a sub-agent says and does, and forgives what it ran into (R-02)", () => {
    const sub = { agentId: "a" };
    const error = event("session.error", { errorType: "authentication", message: "no" }, sub);
    expect(readAll(says("<promise>DONE</promise>", sub), error, result(0))).toMatchObject([
      { type: "text", isSub: true },
      { type: "session" },
      { type: "result", isSuccess: true },
    ]);
  });

  it("tells a denied tool, and no other failure, as denied", () => {
    const denied = ends({ success: false, error: { code: "denied", message: "no permission" } });
    const failed = ends({ success: false, error: { code: "failure", message: "denied" } });
    expect(readAll(starts("create"), denied)[1]).toMatchObject({ isError: true, isDenied: true });
    expect(readAll(starts("create"), failed)[1]).toMatchObject({ isError: true, isDenied: false });
  });

  it.each([
    [{ errorType: "authentication", message: "x" }, "authentication"],
    [{ errorType: "authorization", message: "x" }, "authentication"],
    [{ errorType: "rate_limit", message: "x" }, "limit"],
    [{ errorType: "quota", message: "x" }, "limit"],
    [{ errorType: "query", statusCode: 404, message: "x" }, "model"],
    [{ errorType: "query", statusCode: 500, message: "HTTP 401" }, "other"],
  ])("judges the error %j as %s", (data, kind) => {
    const events = readAll(event("session.error", data), result(1));
    expect(events.at(-1)).toMatchObject({ isSuccess: false, failure: { kind, message: data.message } });
  });

  it("counts retries, and remembers the failed request until the model answers", () => {
    const reader = createCopilotReader();
    const body = JSON.stringify({ message: "Incorrect key", code: "invalid_api_key" });
    reader.read(event("model.call_failure", { statusCode: 401, errorMessage: body }));
    expect(reader.failure()).toEqual({ kind: "authentication", message: "Incorrect key", resetAt: null });
    const retry = event("assistant.turn_retry", { reason: "rate_limit" });
    expect(reader.read(retry)).toEqual([
      { type: "retry", attempt: 1, attemptsMax: null, delayMs: null, reason: "rate_limit" },
    ]);
    expect(reader.read(retry)).toMatchObject([{ attempt: 2 }]);
    reader.read(says("ok"));
    expect(reader.failure()).toBeNull();
    expect(reader.read(retry)).toMatchObject([{ attempt: 1 }]);
  });

  it("takes a result with another exit code than 0 for a failure, whatever was said before (R-18)", () => {
    expect(readAll(says("<promise>DONE</promise>"), result(1)).at(-1)).toMatchObject({
      isSuccess: false,
      failure: { kind: "other", message: "The agent ended with exit code 1." },
    });
  });

  it("passes over the many events of its session, and does not know others (S1-73)", () => {
    expect(readAll(event("session.brand_new", {}), event("model.call_start", {}), event("hook.end", {}))).toEqual([]);
    for (const line of [null, "x", {}, { type: "new" }, { type: "assistant.new" }, { type: "result" }])
      expect(createCopilotReader().read(line)).toBe("unknown");
  });
});
