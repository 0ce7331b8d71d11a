import { expect, it } from "vitest";
import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { noSpend } from "../../core/agents/spend.ts";
import { cutAgentEvent } from "./cut-agent-event.ts";

const text = (body: string): AgentEvent => ({ type: "text", text: body, messageId: "m1", isSub: false });

it("keeps a short event as it is", () => {
  const event = text("x".repeat(2048));
  expect(cutAgentEvent(event)).toEqual(event);
});

it("cuts a long body at 2 KB and shows that it was cut", () => {
  const cut = cutAgentEvent(text("x".repeat(2049)));
  expect(cut).toEqual(text(`${"x".repeat(2047)}…`));
});

it("does not cut a character in half", () => {
  const cut = cutAgentEvent(text(`${"x".repeat(2046)}😀😀`));
  expect(cut).toEqual(text(`${"x".repeat(2046)}…`));
});

it("keeps any event of any agent below 4 KB, whatever its ids and lists hold", () => {
  const long = "\u0000".repeat(100_000);
  const events: AgentEvent[] = [
    text(long),
    { type: "session", sessionId: long, model: long },
    { type: "tool-started", toolId: long, name: long, summary: long, canChange: true, isSub: false },
    { type: "tool-ended", toolId: long, name: null, output: long, isError: false, isDenied: false },
    { type: "todo", items: Array.from({ length: 10_000 }, () => ({ text: long, status: "active" as const })) },
    {
      type: "result",
      isSuccess: false,
      text: long,
      failure: { kind: "other", message: long, resetAt: null },
      spend: noSpend,
    },
  ];
  for (const event of events) {
    const cut = cutAgentEvent(event);
    expect(cut.type).toBe(event.type);
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(4096);
  }
});
