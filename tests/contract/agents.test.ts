import { describe, expect, it } from "vitest";
import type { AgentEvent, Failure } from "../../src/core/agents/agent-event.ts";
import type { TurnReport } from "../../src/core/agents/turn-report.ts";
import type { AgentAdapter } from "../../src/shell/agents/adapter.ts";
import { ampAdapter } from "../../src/shell/agents/amp/amp-adapter.ts";
import { claudeAdapter } from "../../src/shell/agents/claude/claude-adapter.ts";
import { codexAdapter } from "../../src/shell/agents/codex/codex-adapter.ts";
import { copilotAdapter } from "../../src/shell/agents/copilot/copilot-adapter.ts";
import { geminiAdapter } from "../../src/shell/agents/gemini/gemini-adapter.ts";
import { opencodeAdapter } from "../../src/shell/agents/opencode/opencode-adapter.ts";
import { recordedStreams, replay } from "./recorded-streams.ts";

/** What a stream must tell. Left out: success, no failure, claimed, no tools, a known price. */
type Expected = {
  result?: TurnReport["result"];
  failure?: Failure["kind"];
  isPromised?: false;
  /** calls, errors, denied, changes */
  tools?: [number, number, number, number];
  /** US dollars and all tokens, as `input+output+cache read+cache write`. */
  spend: string;
};

const free = "0 0+0+0+0";
const unclaimed = { isPromised: false } as const;
const failed = { result: "error", isPromised: false } as const;
const cutOff = { result: "none", isPromised: false } as const;

const claude: Record<string, Expected> = {
  text: { spend: "0.004588 1012+27+0+0" },
  thinking: { spend: "0.004588 1012+27+0+0" },
  partial: { spend: "0.004588 1012+27+0+0" },
  tools: { tools: [2, 0, 0, 2], spend: "0.015816 3224+112+900+100" },
  "tools-parallel": { tools: [2, 0, 0, 2], spend: "0.009376 2024+64+0+0" },
  "tools-denied": { ...unclaimed, tools: [1, 0, 1, 0], spend: "0.008916 2024+41+0+0" },
  "tool-fails": { ...unclaimed, tools: [3, 3, 0, 0], spend: "0.018032 4048+92+0+0" },
  "tool-timeout": { ...unclaimed, tools: [1, 1, 0, 0], spend: "0.008928 2022+42+0+0" },
  "tool-timeout-background": { ...unclaimed, tools: [1, 0, 0, 1], spend: "0.008936 2024+42+0+0" },
  "todo-tasks": { tools: [5, 0, 0, 0], spend: "0.02342 5060+159+0+0" },
  "todo-write": { tools: [2, 0, 0, 0], spend: "0.014984 3036+142+0+0" },
  "todo-unavailable": { ...unclaimed, tools: [3, 3, 0, 0], spend: "0.014804 3036+133+0+0" },
  subagent: { ...unclaimed, tools: [2, 0, 0, 1], spend: "0.0226 5050+120+0+0" },
  resumed: { ...unclaimed, tools: [1, 0, 0, 1], spend: "0.008856 2024+38+0+0" },
  "max-turns": { ...failed, failure: "other", tools: [1, 0, 0, 1], spend: "0.004488 1012+22+0+0" },
  "max-budget": { ...failed, failure: "other", tools: [1, 0, 0, 0], spend: "6 1000000+100000+0+0" },
  "no-key": { ...failed, failure: "authentication", spend: free },
  "err-401": { ...failed, failure: "authentication", spend: free },
  "err-403": { ...failed, failure: "authentication", spend: free },
  "err-404-model": { ...failed, failure: "model", spend: free },
  "err-429": { ...failed, failure: "limit", spend: free },
  "err-400-too-long": { ...failed, failure: "other", spend: free },
  "err-500": { ...failed, failure: "other", spend: free },
  "err-529": { ...failed, failure: "other", spend: free },
  "err-529-recovers": { spend: "0.004588 1012+27+0+0" },
  "err-refused": { ...failed, failure: "other", spend: free },
  "sigint-tool": { ...failed, failure: "other", tools: [1, 1, 0, 0], spend: "0.004668 1012+31+0+0" },
  "sigint-stall": { result: "error", failure: "other", spend: "0 1012+1+0+0" },
  "sigterm-tool": { ...cutOff, tools: [1, 1, 0, 0], spend: "unknown 1012+1+0+0" },
  "sigkill-tool": { ...cutOff, tools: [1, 0, 0, 0], spend: "unknown 1012+1+0+0" },
  "stop-hook": { spend: "0.013224 3036+54+0+0" },
  "stop-hook-cap": { ...unclaimed, spend: "0.038592 9108+108+0+0" },
  "hook-events": { spend: "0.008896 2024+40+0+0" },
  "input-stream": { ...unclaimed, spend: "0.008536 2024+22+0+0" },
};

const olderClaude: Record<string, Expected> = {
  text: { spend: "0.00577 1019+27+0+0" },
  thinking: { spend: "0.00577 1019+27+0+0" },
  tools: { tools: [2, 0, 0, 2], spend: "0.020115 3238+114+900+100" },
  "tools-denied": { ...unclaimed, tools: [1, 0, 1, 0], spend: "0.011215 2038+41+0+0" },
  "tool-fails": { ...unclaimed, tools: [3, 3, 0, 0], spend: "0.02273 4076+94+0+0" },
  "err-429": { ...failed, failure: "limit", spend: free },
  "sigint-tool": { ...failed, failure: "other", tools: [1, 1, 0, 0], spend: "0.00587 1019+31+0+0" },
  "stop-hook": { spend: "0.016635 3057+54+0+0" },
  "todo-tasks": { tools: [5, 0, 0, 0], spend: "0.02945 5095+159+0+0" },
  "subagent-foreground": { ...unclaimed, tools: [1, 0, 0, 0], spend: "0.017345 3049+84+0+0" },
};

const codex: Record<string, Expected> = {
  text: { spend: "unknown 1010+27+0+0" },
  stdin: { spend: "unknown 1010+27+0+0" },
  "unknown-model": { spend: "unknown 1010+27+0+0" },
  thinking: { spend: "unknown 1010+27+0+0" },
  tools: { tools: [2, 0, 0, 2], spend: "unknown 2320+105+900+0" },
  "tools-workspace-write": { tools: [2, 0, 0, 2], spend: "unknown 2320+105+900+0" },
  "tools-readonly": { tools: [1, 0, 0, 1], spend: "unknown 2320+105+900+0" },
  "tool-fails": { ...unclaimed, tools: [1, 1, 0, 0], spend: "unknown 4040+97+0+0" },
  todo: { spend: "unknown 4040+154+0+0" },
  resumed: { ...unclaimed, spend: "unknown 2020+22+0+0" },
  "full-auto": { ...cutOff, spend: free },
  "not-git": { ...cutOff, spend: free },
  "err-401": { ...failed, failure: "authentication", spend: free },
  "err-400": { ...failed, failure: "other", spend: free },
  "err-429": { ...failed, failure: "limit", spend: free },
  "err-500": { ...failed, failure: "other", spend: free },
  "err-529": { ...failed, failure: "other", spend: free },
  "err-500-recovers": { spend: "unknown 1010+27+0+0" },
  "err-quota": { ...failed, failure: "other", spend: free },
  "err-context": { ...failed, failure: "other", spend: free },
  "err-idle-timeout": { ...failed, failure: "other", spend: free },
  "err-refused": { ...cutOff, failure: "other", spend: free },
  "no-key": { ...failed, failure: "other", spend: free },
  "sigint-tool": { ...cutOff, tools: [1, 0, 0, 0], spend: "unknown 0+0+0+0" },
  "sigterm-tool": { ...cutOff, tools: [1, 0, 0, 0], spend: "unknown 0+0+0+0" },
};

// No stream of opencode tells a result: the exit code decides.
const opencode: Record<string, Expected> = {
  text: { result: "none", spend: "unknown 1008+27+0+0" },
  stdin: { result: "none", spend: "unknown 1008+27+0+0" },
  thinking: { result: "none", spend: "unknown 1008+27+0+0" },
  tools: { result: "none", tools: [2, 0, 0, 2], spend: "unknown 2316+113+900+0" },
  "tools-ask-auto": { result: "none", tools: [2, 0, 0, 2], spend: "unknown 2316+116+900+0" },
  "tools-denied": { ...cutOff, tools: [1, 0, 1, 0], spend: "unknown 1008+33+0+0" },
  "tool-fails": { ...cutOff, tools: [3, 3, 0, 0], spend: "unknown 4032+101+0+0" },
  subagent: { ...cutOff, tools: [1, 0, 0, 0], spend: "unknown 2016+49+0+0" },
  todo: { result: "none", tools: [2, 0, 0, 0], spend: "unknown 3024+133+0+0" },
  "err-401": { ...cutOff, failure: "authentication", spend: free },
  "err-429": { ...cutOff, failure: "limit", spend: free },
  "err-500": { ...cutOff, failure: "other", spend: free },
  "err-context-overflow": { ...cutOff, failure: "other", spend: "unknown 2002+22+0+0" },
  "err-model": { ...cutOff, failure: "other", spend: free },
  "sigint-tool": { ...cutOff, spend: "unknown 0+0+0+0" },
  "sigterm-tool": { ...cutOff, spend: "unknown 0+0+0+0" },
};

const amp: Record<string, Expected> = {
  "documented-text": { spend: "unknown 1200+40+0+0" },
  "documented-tools": { tools: [1, 0, 0, 1], spend: "unknown 2400+80+0+0" },
  "no-ids": { tools: [1, 0, 0, 1], spend: "unknown 2400+80+0+0" },
  "documented-error": { ...failed, failure: "other", spend: "unknown 0+0+0+0" },
};

// The exit code of a command shows nowhere, so one that failed still counts as a change.
const gemini: Record<string, Expected> = {
  text: { spend: "unknown 1012+27+0+0" },
  tools: { tools: [2, 0, 0, 2], spend: "unknown 3036+102+0+0" },
  "tools-denied": { ...unclaimed, tools: [2, 0, 2, 0], spend: "unknown 3024+80+0+0" },
  "tool-fails": { ...unclaimed, tools: [2, 1, 0, 1], spend: "unknown 3036+83+0+0" },
  todo: { tools: [2, 0, 0, 0], spend: "unknown 3036+110+0+0" },
  subagent: { ...unclaimed, tools: [1, 0, 0, 0], spend: "unknown 3036+89+0+0" },
  "no-key": { ...cutOff, spend: free },
  "err-401": { ...failed, failure: "authentication", spend: "unknown 0+0+0+0" },
  "err-429": { ...cutOff, failure: "other", spend: free },
  "sigterm-tool": { result: "none", failure: "other", tools: [1, 0, 0, 0], spend: "unknown 0+0+0+0" },
};

// The tokens are in a file beside the stream.
const copilot: Record<string, Expected> = {
  text: { spend: "unknown 0+0+0+0" },
  thinking: { spend: "unknown 0+0+0+0" },
  tools: { tools: [2, 0, 0, 2], spend: "unknown 0+0+0+0" },
  "tools-denied": { ...unclaimed, tools: [2, 0, 2, 0], spend: "unknown 0+0+0+0" },
  "tool-fails": { ...unclaimed, tools: [2, 2, 0, 0], spend: "unknown 0+0+0+0" },
  todo: { tools: [2, 0, 0, 0], spend: "unknown 0+0+0+0" },
  subagent: { ...unclaimed, tools: [1, 0, 0, 0], spend: "unknown 0+0+0+0" },
  "err-401": { ...failed, failure: "authentication", spend: free },
  "err-404-model": { ...failed, failure: "model", spend: free },
  "err-429": { ...failed, failure: "limit", spend: free },
  "sigterm-tool": { result: "none", failure: "other", tools: [1, 0, 0, 0], spend: "unknown 0+0+0+0" },
};

const suites: [string, AgentAdapter, Record<string, Expected>][] = [
  ["claude", claudeAdapter, claude],
  ["claude-2.1.197", claudeAdapter, olderClaude],
  ["codex", codexAdapter, codex],
  ["opencode", opencodeAdapter, opencode],
  ["amp", ampAdapter, amp],
  ["gemini", geminiAdapter, gemini],
  ["copilot", copilotAdapter, copilot],
];

describe.each(suites)("recorded streams of %s", (agent, adapter, expected) => {
  it("are all expected here", () => {
    expect(Object.keys(expected).toSorted()).toEqual(recordedStreams(agent).toSorted());
  });

  it.each(Object.entries(expected))("%s tells what happened (S1-68, S1-69, S1-71, S1-72, R-18)", (name, wanted) => {
    const { facts } = replay(adapter, `${agent}/${name}.ndjson`);
    const { calls, errors, denied, changes } = facts.tools;
    expect({
      result: facts.result,
      failure: facts.failure?.kind,
      isPromised: facts.claims.isPromised,
      tools: [calls, errors, denied, changes],
      spend: spendText(facts.spend),
    }).toEqual({
      result: wanted.result ?? "success",
      failure: wanted.failure,
      isPromised: wanted.isPromised ?? true,
      tools: wanted.tools ?? [0, 0, 0, 0],
      spend: wanted.spend,
    });
  });

  it.each(recordedStreams(agent))("%s has no unknown line, and is read the same in small pieces (S1-73)", (name) => {
    const whole = replay(adapter, `${agent}/${name}.ndjson`);
    expect(whole.facts.output.unparsedLines).toBe(0);
    expect(replay(adapter, `${agent}/${name}.ndjson`, 61)).toEqual(whole);
  });
});

describe("details of recorded streams", () => {
  it("a sub-agent's promise is marked as its own and claims nothing (R-02)", () => {
    const texts = eventsOf(claudeAdapter, "claude/subagent.ndjson").filter((event) => event.type === "text");
    expect(texts.filter(({ isSub }) => isSub).map(({ text }) => text)).toEqual([
      "Subagent report <promise>DONE</promise>",
    ]);
    expect(replay(claudeAdapter, "claude/subagent.ndjson").facts.claims.isMentioned).toBe(false);
  });

  it.each([
    [copilotAdapter, "copilot/subagent.ndjson", "task"],
    [opencodeAdapter, "opencode/subagent.ndjson", "task"],
    [geminiAdapter, "gemini/subagent.ndjson", "invoke_agent"],
  ] as const)("$name's sub-agent shows as the tool that asked it and claims nothing (R-02)", (adapter, path, tool) => {
    const { facts, events } = replay(adapter, path);
    expect(events).toContainEqual(expect.objectContaining({ type: "tool-started", name: tool, isSub: false }));
    expect(facts.claims).toMatchObject({ isPromised: false, isMentioned: false });
  });

  it("a process that answers twice has two results, of which the last counts", () => {
    const results = eventsOf(claudeAdapter, "claude/subagent.ndjson").filter(({ type }) => type === "result");
    expect(results).toHaveLength(2);
  });

  it("text that was cut off by SIGINT claims, but its turn is an error (R-18)", () => {
    const { facts } = replay(claudeAdapter, "claude/sigint-stall.ndjson");
    expect(facts).toMatchObject({ result: "error", claims: { isPromised: true } });
  });

  it("a denied tool shows as denied in both versions", () => {
    for (const agent of ["claude", "claude-2.1.197"]) {
      const ends = eventsOf(claudeAdapter, `${agent}/tools-denied.ndjson`).filter(({ type }) => type === "tool-ended");
      expect(ends.at(-1)).toMatchObject({ name: "Bash", isDenied: true });
    }
  });

  it.each([
    [claudeAdapter, "claude/todo-write.ndjson", ["done", "pending"]],
    [claudeAdapter, "claude/todo-tasks.ndjson", ["done", "pending"]],
    [claudeAdapter, "claude-2.1.197/todo-tasks.ndjson", ["done", "pending"]],
    [codexAdapter, "codex/todo.ndjson", ["done", "done"]],
    [opencodeAdapter, "opencode/todo.ndjson", ["done", "done"]],
    [geminiAdapter, "gemini/todo.ndjson", ["done", "active"]],
  ] as const)("$name keeps its todo list in %s (S1-70)", (adapter, path, statuses) => {
    const last = eventsOf(adapter, path).findLast((event) => event.type === "todo");
    expect(last?.items).toEqual([
      { text: "Write code", status: statuses[0] },
      { text: "Run tests", status: statuses[1] },
    ]);
  });

  it("retries are told while they go on", () => {
    expect(retries(claudeAdapter, "claude/err-529-recovers.ndjson")).toEqual([
      [1, 10],
      [2, 10],
    ]);
    expect(retries(codexAdapter, "codex/err-401.ndjson")).toEqual([
      [1, 5],
      [2, 5],
      [3, 5],
      [4, 5],
      [5, 5],
    ]);
    expect(retries(codexAdapter, "codex/err-refused.ndjson")).toEqual([
      [1, null],
      [2, null],
    ]);
    expect(retries(copilotAdapter, "copilot/err-401.ndjson")).toEqual([
      [1, null],
      [2, null],
    ]);
  });

  it.each(suites)("every stream of %s that got anywhere names its session", (agent, adapter) => {
    for (const name of recordedStreams(agent)) {
      const { facts, events } = replay(adapter, `${agent}/${name}.ndjson`);
      // Only the result of copilot names it.
      const isNamed = adapter === copilotAdapter ? facts.result !== "none" : events.length > 0;
      expect(facts.sessionId !== null).toBe(isNamed);
    }
  });
});

function eventsOf(adapter: AgentAdapter, path: string): AgentEvent[] {
  return replay(adapter, path).events;
}

function retries(adapter: AgentAdapter, path: string): (number | null)[][] {
  return eventsOf(adapter, path).flatMap((event) =>
    event.type === "retry" ? [[event.attempt, event.attemptsMax]] : [],
  );
}

function spendText(spend: TurnReport["spend"]): string {
  const { usd, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = spend;
  const price = usd === null ? "unknown" : String(Number(usd.toFixed(6)));
  return `${price} ${inputTokens}+${outputTokens}+${cacheReadTokens}+${cacheWriteTokens}`;
}
