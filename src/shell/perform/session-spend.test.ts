import { describe, expect, it } from "vitest";
import { noSpend, type Spend, totalTokens } from "../../core/agents/spend.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { claudeAdapter } from "../agents/claude/claude-adapter.ts";
import { codexAdapter } from "../agents/codex/codex-adapter.ts";
import { copilotAdapter } from "../agents/copilot/copilot-adapter.ts";
import { createMemoryArtefacts } from "../stores/memory/memory-artefacts.ts";
import { artefactPath } from "../stores/artefact-path.ts";
import { keptTurn, type SpendContext, spentBefore, usageOf, usageTotal } from "./session-spend.ts";

const at = { runId: "run" };

function place(adapter: AgentAdapter, files: Record<string, string>): SpendContext {
  const kept = Object.entries(files).map(([path, text]) => [path, { ...at, bytes: Buffer.from(text) }] as const);
  return { ...at, adapter, flags: [], artefacts: createMemoryArtefacts(new Map(kept)) };
}

const stream = (effectId: number) => artefactPath({ ...at, kind: "stream", name: String(effectId) });
const codexTurn = (session: string, tokens: number | null) =>
  [
    { type: "thread.started", thread_id: session },
    tokens === null
      ? { type: "turn.failed", error: { message: "no" } }
      : { type: "turn.completed", usage: { input_tokens: tokens, output_tokens: 1 } },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

async function tokensBefore(adapter: AgentAdapter, files: Record<string, string>, sessionId: string | null) {
  const spend: Spend = await spentBefore(place(adapter, files), { effectId: 9, sessionId });
  return totalTokens(spend);
}

describe("spentBefore", () => {
  const files = {
    [stream(1)]: codexTurn("a", 1000),
    [stream(3)]: codexTurn("a", 2000),
    [stream(5)]: codexTurn("a", null),
    [stream(7)]: codexTurn("b", 9000),
    [stream(9)]: codexTurn("a", 5000),
  };

  it("is the last total an earlier turn told of the session, past a failed turn and another session", async () => {
    expect(await tokensBefore(codexAdapter, files, "a")).toBe(2001);
  });

  it("is nothing for a fresh session, an unknown one, and an agent that counts each process for itself", async () => {
    expect(await tokensBefore(codexAdapter, files, null)).toBe(0);
    expect(await tokensBefore(codexAdapter, files, "c")).toBe(0);
    expect(await tokensBefore(claudeAdapter, files, "a")).toBe(0);
  });
});

describe("usageTotal", () => {
  const usage = { inputTokens: 10, outputTokens: 5 };
  const files = {
    [stream(2)]: `${JSON.stringify({ type: "result", sessionId: "s", exitCode: 0 })}\n`,
    [artefactPath(usageOf(at, 2))]: JSON.stringify({ modelMetrics: { m: { usage } } }),
  };

  it("is read from the file beside the stream, and belongs to the stream's session", async () => {
    expect(await keptTurn(place(copilotAdapter, files), 2)).toMatchObject({
      sessionId: "s",
      total: { usd: null, inputTokens: 10, outputTokens: 5 },
    });
    expect(await tokensBefore(copilotAdapter, files, "s")).toBe(15);
  });

  it("is unknown without a file, and for agents that write none", async () => {
    expect(await usageTotal(place(copilotAdapter, {}), 2)).toBeNull();
    expect(await usageTotal(place(claudeAdapter, files), 2)).toBeNull();
    expect(await keptTurn(place(claudeAdapter, {}), 2)).toEqual({ sessionId: null, total: noSpend });
  });
});
