import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { noSpend, unknownSpend } from "../../core/agents/spend.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { ampAdapter } from "../agents/amp/amp-adapter.ts";
import { claudeAdapter } from "../agents/claude/claude-adapter.ts";
import { codexAdapter } from "../agents/codex/codex-adapter.ts";
import { commandAdapter } from "../agents/command/command-adapter.ts";
import { copilotAdapter } from "../agents/copilot/copilot-adapter.ts";
import { geminiAdapter } from "../agents/gemini/gemini-adapter.ts";
import { opencodeAdapter } from "../agents/opencode/opencode-adapter.ts";
import { createTurnReader } from "./turn-reader.ts";
import { propertySeed } from "../../../tests/property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

function start(adapter: AgentAdapter, prompt = "Go", onEvent: (event: AgentEvent) => void = () => {}) {
  const signals = ["promise", "response"] as const;
  return createTurnReader({
    adapter,
    flags: [],
    prompt,
    expected: "DONE",
    placement: "own-sentence",
    signals,
    onEvent,
  });
}

function factsOf(adapter: AgentAdapter, output: string | Uint8Array, prompt?: string) {
  const reader = start(adapter, prompt);
  reader.push(typeof output === "string" ? Buffer.from(output) : output);
  return reader.end();
}

const ndjson = (...lines: (object | string)[]): string =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

function says(text: string, more: object = {}, id = "m1"): object {
  return { type: "assistant", message: { id, content: [{ type: "text", text }] }, parent_tool_use_id: null, ...more };
}

const call = (id: string) => ({ type: "tool_use", id, name: "Write", input: {} });
const end = (id: string, isError: boolean) => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: id, content: "", is_error: isError }] },
});

const success = { type: "result", subtype: "success", is_error: false, result: "bye", total_cost_usd: 0.1 };
const claim = "<promise>DONE</promise>";

describe("claims in a stream", () => {
  it("finds a tag cut between the lines of one message (R-06)", () => {
    expect(
      factsOf(claudeAdapter, ndjson(says("All good.\n<prom"), says("ise>DONE</promise>"), success)).claims.isPromised,
    ).toBe(true);
  });

  it("keeps a claim that is followed by more messages and a tool call (R-05)", () => {
    const tool = {
      type: "assistant",
      message: { id: "m3", content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] },
    };
    const output = ndjson(says(claim), says("And one more thing", {}, "m2"), tool, success);
    expect(factsOf(claudeAdapter, output).claims.isPromised).toBe(true);
  });

  it("hears no claim in tools, thinking, user lines, sub-agents or the program's words (R-01, R-02)", () => {
    const output = ndjson(
      { type: "user", message: { role: "user", content: claim } },
      { type: "user", isSynthetic: true, message: { role: "user", content: [{ type: "text", text: claim }] } },
      { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: claim }] } },
      { type: "assistant", message: { id: "m2", content: [{ type: "thinking", thinking: claim }] } },
      {
        type: "assistant",
        message: { id: "m3", content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: claim } }] },
      },
      { type: "assistant", message: { id: "m4", model: "<synthetic>", content: [{ type: "text", text: claim }] } },
      says(claim, { parent_tool_use_id: "t" }, "m5"),
      says("Working.", {}, "m6"),
      { ...success, result: claim },
    );
    expect(factsOf(claudeAdapter, output).claims).toMatchObject({ isPromised: false, isMentioned: false });
  });

  it("takes the result's text only when nothing was said, and then of the last result", () => {
    expect(factsOf(claudeAdapter, ndjson({ ...success, result: claim })).claims.isPromised).toBe(true);
    expect(factsOf(claudeAdapter, ndjson({ ...success, result: claim }, success)).claims.isPromised).toBe(false);
    expect(factsOf(claudeAdapter, ndjson(says("No."), { ...success, result: claim })).claims.isPromised).toBe(false);
  });

  it("reports a claim of a turn that ended in error together with the error (R-18)", () => {
    const facts = factsOf(
      claudeAdapter,
      ndjson(says(claim, { aborted: true }), { type: "result", subtype: "success", is_error: true }),
    );
    expect(facts).toMatchObject({ result: "error", claims: { isPromised: true } });
  });
});

const someKeys =
  "message content item part error usage modelUsage permission_denials event state id type data tokens cost input_tokens input total_cost_usd stats session_id tool_id tool_name sessionId exitCode timestamp".split(
    " ",
  );
const someTypes =
  "assistant user system result stream_event rate_limit_event item.completed turn.completed turn.failed error text tool_use step_finish init message tool_result assistant.message tool.execution_start tool.execution_complete session.error model.call_failure".split(
    " ",
  );

/** Any JSON value, often one that begins like a known line. */
const anyLine = (() => {
  const leaf = fc.jsonValue({ maxDepth: 1 });
  const key = fc.constantFrom(...someKeys);
  const type = fc.constantFrom(...someTypes);
  const fields = fc.dictionary(key, leaf, { maxKeys: 4 });
  const nested = fc.dictionary(key, fc.oneof(leaf, fields, fc.array(fields, { maxLength: 2 })), { maxKeys: 5 });
  return fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.tuple(type, nested).map(([name, value]) => ({ ...value, type: name })),
  );
})();

describe("broken output", () => {
  it("counts broken, unknown and over-long lines and hears the claim behind them (S1-73, R-07)", () => {
    const output = ndjson(
      "{broken",
      "plain words",
      "\u0000\u0007",
      { type: "new" },
      "x".repeat(16 * 1024 * 1024 + 1),
      "",
      says(claim),
      success,
    );
    expect(factsOf(claudeAdapter, output)).toMatchObject({
      result: "success",
      claims: { isPromised: true },
      output: { bytes: Buffer.byteLength(output), lines: 7, unparsedLines: 5 },
    });
  });

  it.each([claudeAdapter, codexAdapter, ampAdapter, opencodeAdapter, geminiAdapter, copilotAdapter])(
    "never throws in $name's reader, whatever JSON comes (S1-73)",
    (adapter) => {
      fc.assert(
        fc.property(fc.array(anyLine, { maxLength: 4 }), (lines) => {
          const facts = factsOf(adapter, ndjson(...lines.map((line) => JSON.stringify(line))));
          expect(facts.output.lines).toBe(lines.length);
          expect(Object.values(facts.spend).every((count) => count === null || Number.isFinite(count))).toBe(true);
        }),
        { numRuns: 400 },
      );
    },
  );

  it("reads the same facts however the bytes are cut (S1-73)", () => {
    const output = Buffer.from(ndjson(says("é🎉 "), "{", says(claim, {}, "m2"), success));
    const whole = factsOf(claudeAdapter, output);
    expect(whole.claims.isPromised).toBe(true);
    for (let size = 1; size < 40; size += 1) {
      const reader = start(claudeAdapter);
      for (let at = 0; at < output.length; at += size) reader.push(output.subarray(at, at + size));
      expect(reader.end()).toEqual(whole);
    }
  });
});

describe("an agent of a known name that prints plain text", () => {
  /** The events of this output, each line on its own, and what they come to. */
  function read(output: string, prompt = "Go") {
    const events: AgentEvent[] = [];
    const reader = start(claudeAdapter, prompt, (event) => void events.push(event));
    for (const line of output.split(/(?<=\n)/)) reader.push(Buffer.from(line));
    return { facts: reader.end(), events };
  }
  const textOf = (events: AgentEvent[]) => events.map((event) => (event.type === "text" ? event.text : "")).join("");
  const note = {
    type: "notice",
    text: "claude prints plain text instead of its stream of events: it is read as text.",
  };

  it.each([1, 2, 10])("is read as text with one note, in %d lines (S1-41, S1-73)", (count) => {
    const words = "Working.\n\n".repeat(count);
    const { facts, events } = read(`${words}${claim}`);
    expect(events.filter(({ type }) => type === "notice")).toEqual([note]);
    expect(textOf(events)).toBe(`${words}${claim}\n`);
    expect(facts).toMatchObject({ result: "none", failure: null, isEmpty: false, spend: unknownSpend });
    expect(facts).toMatchObject({ claims: { isPromised: true }, output: { unparsedLines: 0 } });
  });

  it("is shown while it works, not only at its end (S1-42)", () => {
    const events: AgentEvent[] = [];
    const reader = start(claudeAdapter, "Go", (event) => void events.push(event));
    reader.push(Buffer.from("one\ntwo\nthree\nfour\n"));
    expect(textOf(events)).toBe("one\ntwo\nthree\nfour\n");
    reader.push(Buffer.from('{"five": 5}\n'));
    expect(textOf(events)).toBe('one\ntwo\nthree\nfour\n{"five": 5}\n');
  });

  it("does not claim by repeating its prompt (S1-41)", () => {
    const { facts } = read(`Say ${claim} at the end.\n${claim}\n`, `Say ${claim} at the end.\n${claim}`);
    expect(facts.claims.isPromised).toBe(false);
  });

  it("is no claim when its stream follows after all, however long the text before it is (S1-41)", () => {
    const banner = `Welcome!\nVersion 1\n${claim}\nReady.\nGo.\n`;
    const { facts } = read(`${banner}${ndjson(says("I am not done yet."), success)}`);
    expect(facts).toMatchObject({ result: "success", claims: { isPromised: false } });
    expect(read(`${banner}${ndjson(says(claim), success)}`).facts.claims.isPromised).toBe(true);
  });

  it("keeps its stream when it only greets before it (S1-73)", () => {
    const { facts, events } = read(`Welcome!\n${claim}\n${ndjson(says("Hello"), success)}`);
    expect(textOf(events)).toBe("Hello");
    expect(facts).toMatchObject({ result: "success", claims: { isPromised: false }, output: { unparsedLines: 2 } });
  });
});

describe("an agent in text mode", () => {
  const signals = ["promise", "response"] as const;
  function read(output: string) {
    const events: AgentEvent[] = [];
    const onEvent = (event: AgentEvent): void => void events.push(event);
    const options = { flags: [], prompt: "Go", expected: "DONE", placement: "own-sentence" as const, signals, onEvent };
    const reader = createTurnReader({ adapter: claudeAdapter, mode: "text", ...options });
    for (const letter of output) reader.push(Buffer.from(letter));
    return { facts: reader.end(), types: new Set(events.map(({ type }) => type)) };
  }

  it("prints text, and nobody wonders about it (S1-32, S1-41)", () => {
    const { facts, types } = read(`\nDone:\n{"type":"result"}\n${claim}\n`);
    expect([...types]).toEqual(["text"]);
    expect(facts).toMatchObject({ result: "none", claims: { isPromised: true }, output: { lines: 4 } });
  });

  it("says nothing by lines that look like its stream: a result of its own making is no result (S1-41)", () => {
    const { facts, types } = read(ndjson(success, says(claim)));
    expect([...types]).toEqual(["text"]);
    expect(facts).toMatchObject({ result: "none", claims: { isPromised: false } });
  });
});

describe("results, failures and spend", () => {
  it("lets the last result count and counts them all", () => {
    const reader = start(claudeAdapter);
    reader.push(Buffer.from(ndjson({ type: "result", is_error: true, errors: ["x"] })));
    expect(reader.progress().resultCount).toBe(1);
    reader.push(Buffer.from(ndjson(says("on"), success)));
    expect(reader.progress().resultCount).toBe(2);
    expect(reader.end()).toMatchObject({ result: "success", failure: null });
  });

  it("has the failure of a stream that tells no result", () => {
    const line = {
      type: "error",
      sessionID: "s",
      error: { name: "APIError", data: { message: "key", statusCode: 401 } },
    };
    expect(factsOf(opencodeAdapter, ndjson(line))).toMatchObject({
      result: "none",
      failure: { kind: "authentication", message: "key" },
      sessionId: "s",
    });
  });

  it("knows that no work costs nothing, and that work without a price has an unknown one", () => {
    expect(factsOf(codexAdapter, ndjson({ type: "thread.started", thread_id: "t" })).spend).toEqual(noSpend);
    const words = { type: "item.completed", item: { id: "i", type: "agent_message", text: "a" } };
    expect(factsOf(codexAdapter, ndjson(words)).spend).toEqual(unknownSpend);
    expect(factsOf(commandAdapter, "").spend).toEqual(unknownSpend);
  });

  it("takes off what the continued session had cost before, in the facts and in every event", () => {
    const spends: unknown[] = [];
    const reader = createTurnReader({
      adapter: codexAdapter,
      flags: [],
      prompt: "Go",
      expected: "DONE",
      placement: "own-sentence",
      signals: ["promise"],
      spentBefore: { ...unknownSpend, inputTokens: 1000, outputTokens: 40 },
      onEvent: (event) => "spend" in event && spends.push(event.spend),
    });
    const usage = { input_tokens: 3000, output_tokens: 60 };
    reader.push(Buffer.from(ndjson({ type: "turn.completed", usage })));
    const spend = { ...unknownSpend, inputTokens: 2000, outputTokens: 20 };
    expect(reader.progress().spend).toEqual(spend);
    reader.tellSpend({ ...unknownSpend, inputTokens: 4000, outputTokens: 70 });
    const told = { ...unknownSpend, inputTokens: 3000, outputTokens: 30 };
    expect(reader.end().spend).toEqual(told);
    expect(spends).toEqual([spend, told]);
  });

  it("keeps the same spend object until the spend changes", () => {
    const reader = start(claudeAdapter);
    reader.push(Buffer.from(ndjson(success)));
    const { spend } = reader.progress();
    reader.push(Buffer.from(ndjson({ type: "user", message: { content: "x" } })));
    expect(reader.progress().spend).toBe(spend);
    expect(spend.usd).toBe(0.1);
  });

  it("counts a tool once, as denied when a later line says so", () => {
    const calls = { type: "assistant", message: { id: "m", content: [call("a"), call("b"), call("c"), call("d")] } };
    const result = { ...success, permission_denials: [{ tool_use_id: "b", tool_name: "Write" }] };
    const facts = factsOf(claudeAdapter, ndjson(calls, end("a", false), end("b", true), end("c", true), result));
    expect(facts.tools).toEqual({ calls: 4, errors: 1, denied: 1, deniedChanges: 1, changes: 1 });
  });
});

describe("plain text (S1-41)", () => {
  it("is all heard, without colour codes", () => {
    const output = "Working…\r\n\u001B[32mAll done.\u001B[0m\n\u001B[1m<promise>\u001B[0mDONE</promise>";
    const texts: string[] = [];
    const reader = start(commandAdapter, "Go", (event) => texts.push(event.type === "text" ? event.text : ""));
    for (const byte of Buffer.from(output)) reader.push(Uint8Array.of(byte));
    expect(reader.end()).toMatchObject({
      result: "none",
      claims: { isPromised: true },
      spend: unknownSpend,
      output: { bytes: Buffer.byteLength(output), lines: 3, unparsedLines: 0 },
    });
    expect(texts.join("")).not.toContain("\u001B");
  });

  it("hears no claim in an echo of the prompt, but one after it (R-01)", () => {
    const prompt = `Do it.\n\n${claim}`;
    expect(factsOf(commandAdapter, `> agent\n${prompt}\nworking\n`, prompt).claims.isPromised).toBe(false);
    expect(factsOf(commandAdapter, `${prompt}\nworking.\n${claim}\n`, prompt).claims.isPromised).toBe(true);
  });

  it("is one event for each chunk at most", () => {
    const events: AgentEvent[] = [];
    const reader = start(commandAdapter, "Go", (event) => events.push(event));
    reader.push(Buffer.from("a\nb\nc\n"));
    reader.end();
    expect(events).toEqual([{ type: "text", text: "a\nb\nc\n", messageId: "output", isSub: false }]);
  });
});

it("hides secrets that a stream escapes or cuts, in events and in claims", () => {
  const told: AgentEvent[] = [];
  const key = "NOT-to-be-shown-1";
  const escaped = JSON.stringify(says("the key NOT-to-be-shown-1.")).replace("NOT-to", String.raw`\u004eOT-to`);
  const reader = createTurnReader({
    adapter: claudeAdapter,
    flags: [],
    prompt: "Go",
    expected: "DONE",
    placement: "own-sentence",
    signals: ["promise"],
    secrets: [{ name: "KEY", value: key }],
    onEvent: (event) => void told.push(event),
  });
  const wrong = [says("<promise>NOT-to-be", {}, "m2"), says("-shown-1</promise>", {}, "m2")];
  reader.push(Buffer.from(ndjson(escaped, ...wrong, { ...success, result: `it was ${key}` })));
  const { claims } = reader.end();
  expect(JSON.stringify([told, claims])).not.toContain("to-be-shown");
  expect(JSON.stringify(claims)).toContain("[redacted KEY]");
  expect(told).toContainEqual({ type: "text", text: "the key [redacted KEY].", messageId: "m1", isSub: false });
});
