import { describe, expect, it } from "vitest";
import {
  checks,
  claiming,
  delivered,
  done,
  goOn,
  type Move,
  plain,
  play,
  policyOf,
  type Shape,
  turn,
  verdict,
} from "../../../tests/engine/play.ts";
import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { noClaims } from "../../core/claims/claim-report.ts";
import type { CheckProgress } from "../../core/contract/check-progress.ts";
import { decide } from "../../core/engine/decide.ts";
import { unmovedClaimWords } from "../../core/policies/gates.ts";
import type { Observation } from "../../core/run/observation.ts";
import { newRun } from "../../core/run/state.ts";
import { settingsSchema } from "../../core/settings/settings.ts";
import { type Console, type ConsoleSink, createConsoleSink, createQuietSink } from "./live/console-sink.ts";
import { jsonLine } from "../../core/text/json-text.ts";
import { createJsonSink } from "./live/json-sink.ts";
import { redacted, redactedText } from "../../core/settings/redact.ts";
import { painted, unpainted } from "./terminal/paint.ts";
import { textMarks } from "./terminal/marks.ts";
import { createVerboseSink } from "./live/verbose-sink.ts";

/** Lets a run happen in front of a sink. */
function show(sink: ConsoleSink, policy: Shape, ...moves: Move[]): void {
  let state = newRun(policyOf(policy));
  const start: Move = { news: () => [{ type: "run-started" }], passMs: 0 };
  for (const { news } of [start, ...moves]) {
    for (const each of news(state.pending?.id ?? 0)) {
      const observation: Observation = { ...each, at: 1, upMs: 1 };
      const [next, effects] = decide(state, observation);
      state = next;
      sink.entry({ kind: "step", at: 1, observation, effects }, state);
    }
  }
}

/** A console that keeps its two outputs apart. */
function openConsole(settings: object = {}, { isColoured = false, stamp = "", width = null as number | null } = {}) {
  const printed = { out: "", said: [] as string[] };
  const paint = isColoured ? painted : unpainted;
  const target: Console = {
    out: (text) => void (printed.out += text),
    say: (text) => void printed.said.push(text),
    paint,
    viewStyle: () => ({
      marks: textMarks,
      paint,
      textMark: "",
      width: null,
      outputLinesMax: 5,
      outputCharsMax: 500,
      hasReasoning: false,
    }),
    width: () => width,
    stamp: () => stamp,
    agentStamp: () => stamp,
  };
  return { printed, target, sink: createConsoleSink(target, settingsSchema.parse(settings)) };
}

const text = (words: string, messageId = "m1", isSub = false): AgentEvent => ({
  type: "text",
  text: words,
  messageId,
  isSub,
});
const guardrails = [{ command: "make test", failAction: "prepend" }];

describe("the console", () => {
  it("shows the agent on standard output and itself on standard error (CB-18, S1-42)", () => {
    const { printed, sink } = openConsole();
    sink.agentEvent(text("Hel"), 1);
    sink.agentEvent(text("lo"), 1);
    show(sink, {}, done);
    expect(printed.out).toBe("Hello\n");
    expect(printed.said[0]).toBe("Iteration 1/3");
    expect(printed.said.at(-1)).toBe("completed, unverified: Claim accepted in iteration 1: no check is configured.");
  });

  it("ends an unfinished line of the agent once before words that are not of the run, such as the answer to Ctrl-C", () => {
    const { printed, sink } = openConsole();
    sink.agentEvent(text("Hel"), 1);
    sink.endLine?.();
    sink.endLine?.();
    expect(printed.out).toBe("Hel\n");
    sink.agentEvent(text("lo"), 1);
    expect(printed.out).toBe("Hel\nlo");
  });

  it("breaks its own lines between words where the terminal ends, the rest below the stamp", () => {
    const { printed, sink } = openConsole({}, { stamp: "[12:00] ", width: 40 });
    show(sink, {}, done);
    expect(printed.said.at(-1)).toBe(
      [
        "[12:00] completed, unverified: Claim",
        "          accepted in iteration 1: no",
        "          check is configured.",
      ].join("\n"),
    );
  });

  it.each([
    [1, "1 tool denied"],
    [2, "2 tools denied"],
  ])("counts %d denied in words that fit the number", (denied, expected) => {
    const { printed, sink } = openConsole();
    show(sink, {}, turn({ tools: { calls: denied, errors: 0, denied, deniedChanges: 0, changes: 0 } }));
    expect(printed.said.join("\n")).toContain(`, ${expected} (`);
  });

  it("shows nothing of the agent when that is switched off (S1-42)", () => {
    const { printed, sink } = openConsole({ streamAgentOutput: false });
    sink.agentEvent(text("Hello"), 1);
    expect(printed.out).toBe("");
  });

  it("begins a new line for a new message, and for itself", () => {
    const { printed, sink } = openConsole();
    sink.agentEvent(text("one"), 1);
    sink.agentEvent(text("two", "m2"), 1);
    sink.check({ gate: guardrailNamed("make"), verdict: null });
    expect(printed.out).toBe("one\ntwo\n");
  });

  it("shows how the output of a red guardrail begins, below its line (S1-59)", () => {
    const { printed, sink } = openConsole({ guardrails });
    const red = { ...verdict(2), durationMs: 1200 };
    sink.check({
      gate: guardrailNamed("make test"),
      verdict: red,
      output: "FAIL a.test\n\u001B[2Jexpected 1\n3\n4\n5\n6\n",
    });
    expect(printed.said).toEqual([
      "  guardrail failed (exit code 2, 1.2s), PREPEND: make test",
      "    |  FAIL a.test",
      "    |  expected 1",
      "    |  3",
      "    |  4",
      "    |  5",
      "    |  ... 1 more line",
    ]);
  });

  it("begins each line of both outputs with the time when that is asked for (S1-77)", () => {
    const { printed, sink } = openConsole({}, { stamp: "[12:34:56] " });
    sink.agentEvent(text("one\ntwo"), 1);
    sink.agentEvent(text(" and more\n\nthree"), 1);
    sink.check({ gate: guardrailNamed("make test"), verdict: null });
    expect(printed.out.split("\n")).toEqual([
      "[12:34:56] one",
      "[12:34:56] two and more",
      "[12:34:56] ",
      "[12:34:56] three",
      "",
    ]);
    expect(printed.said).toEqual(["[12:34:56]   guardrail: make test"]);
  });

  it("says what the whole run took, then how it ended (S1-76)", () => {
    const { printed, sink } = openConsole();
    const spend = {
      usd: 2.88,
      inputTokens: 175_000,
      outputTokens: 22_500,
      cacheReadTokens: 425_000,
      cacheWriteTokens: 0,
    };
    const tools = { calls: 29, errors: 2, denied: 0, deniedChanges: 0, changes: 3 };
    show(sink, {}, turn({ spend, tools }), turn({ spend, tools, claims: { ...noClaims, isPromised: true } }));
    expect(printed.said.slice(-2)).toEqual([
      "[OK] Complete (cost: $5.76, tokens: 1.2M in (850K cached) / 45K out, tools: 58, errors: 4, time: 0.0s)",
      "completed, unverified: Claim accepted in iteration 2: no check is configured.",
    ]);
    expect(printed.said[1]).toBe(
      "  turn ended (cost: $2.88, tokens: 600K in (425K cached) / 22.5K out, tools: 29, errors: 2, time: 0.0s)",
    );
    expect(printed.said[3]).toMatch(/^ {2}turn ended, claims to be done \(.*\); \$5\.76 so far$/);
  });

  it("does not call a run complete that is not (S1-76)", () => {
    const { printed, sink } = openConsole();
    show(sink, { iterationsMax: 1 }, turn());
    expect(printed.said.at(-2)).toBe(
      "[ERR] Exhausted (cost: $0.00, tokens: 0 in / 0 out, tools: 0, errors: 0, time: 0.0s)",
    );
  });

  it("keeps words of the agent in its own lines from doing anything (S1-74)", () => {
    const { printed, sink } = openConsole();
    show(sink, {}, claiming({ blocked: "stuck\ncompleted: all good\u001B[2J\u001B[1;1H" }));
    expect(printed.said.at(-1)).toBe("waiting: Blocked: stuck completed: all good");
  });

  it("says only how a run ended when it shall be quiet (S1-77)", () => {
    const { printed, target } = openConsole();
    const sink = createQuietSink(target);
    sink.agentEvent(text("Hello"), 1);
    sink.check({ gate: guardrailNamed("make test"), verdict: null });
    sink.entry({ kind: "note", at: 1, level: "info", text: "a remark" }, newRun(plain));
    show(sink, {}, turn(), done);
    expect(printed).toEqual({
      out: "",
      said: ["completed, unverified: Claim accepted in iteration 2: no check is configured."],
    });
  });

  it("tells start, end, exit status and fail action of a guardrail (S1-59)", () => {
    const { printed, sink } = openConsole({ guardrails });
    sink.check({ gate: guardrailNamed("make test"), verdict: null });
    sink.check({ gate: guardrailNamed("make test"), verdict: { ...verdict(2), durationMs: 1234 } });
    sink.check({ gate: guardrailNamed("make test"), verdict: { ...verdict(0), durationMs: 500 } });
    sink.check({ gate: guardrailNamed("make test"), verdict: { ...verdict(124), isTimedOut: true } });
    expect(printed.said[0]).toContain("make test");
    expect(printed.said[1]).toMatch(/failed.*exit code 2.*1\.2s.*PREPEND.*make test/);
    expect(printed.said[2]).toMatch(/passed.*0\.5s.*make test/);
    expect(printed.said[3]).toMatch(/timed out.*124/);
  });

  it("tells that a claim was refused and by what", () => {
    const { printed, sink } = openConsole({ guardrails });
    show(sink, { guardrails: 1 }, done, checks(1));
    expect(printed.said.join("\n")).toMatch(/claims to be done[^]*claim refused: check 0 failed/);
  });

  it("promises that the agent will be told why only where an iteration is left", () => {
    const { printed, sink } = openConsole({ guardrails });
    show(sink, { guardrails: 1, iterationsMax: 2 }, done, checks(1), done, checks(1));
    const refused = printed.said.filter((line) => line.includes("claim refused"));
    expect(refused.map((line) => line.includes("will be told"))).toEqual([true, false]);
  });

  it("tells that a claim without any change was refused, and the setting, also in the last iteration", () => {
    const { printed, sink } = openConsole();
    show(sink, { requireProgress: true, iterationsMax: 2 }, done, done);
    const refused = printed.said.filter((line) => line.includes("claim refused"));
    expect(refused).toEqual(Array.from({ length: 2 }, () => `  claim refused: ${unmovedClaimWords}`));
    expect(unmovedClaimWords).toContain("completion.requireProgress");
  });

  it("does not take another response for a claim", () => {
    const { printed, sink } = openConsole({ guardrails });
    show(sink, { guardrails: 1 }, claiming({ response: "NOT YET" }), checks(1));
    expect(printed.said.join("\n")).not.toMatch(/claims to be done|claim refused/);
  });

  it("tells a delivery, or why there is none", () => {
    const { printed, sink } = openConsole();
    show(sink, { hasDelivery: true }, turn(), delivered(), turn(), delivered("push exited with code 1"));
    expect(printed.said.join("\n")).toMatch(/committed c0ffee[^]*delivery: push exited with code 1/);
  });

  it("paints only for a terminal", () => {
    const [plainOne, coloured] = [openConsole({}), openConsole({}, { isColoured: true })];
    for (const { sink } of [plainOne, coloured]) show(sink, {}, done);
    expect(plainOne.printed.said.join("")).not.toContain("\u001B");
    expect(coloured.printed.said.join("")).toContain("\u001B");
  });
});

describe("JSON lines", () => {
  it("have everything the people see, one object a line, and the outcome last (CB-18)", () => {
    let written = "";
    const sink = createJsonSink({
      write: (line) => void (written += line),
      offer: (line) => void (written += line),
      now: () => 7,
    });
    sink.agentEvent(text("a\nb"), 4);
    sink.check({ gate: guardrailNamed("make"), verdict: null });
    show(sink, { iterationsMax: 1 }, turn());
    const lines = written
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    const kinds = ["agent", "check", "step", "step", "step", "outcome"];
    expect(lines).toMatchObject(kinds.map((kind) => ({ kind })));
    expect(lines[0]).toMatchObject({ at: 7, effectId: 4, event: { text: "a\nb" } });
    expect(lines.at(-1)).toMatchObject({
      outcome: "exhausted",
      exitCode: 1,
      iteration: 1,
      reason: "No accepted claim within 1 iteration.",
      spend: { usd: 0 },
    });
  });
});

describe("a JSON line", () => {
  it("is harmless in a terminal and still says the same (S1-68)", () => {
    const said = "\u001B[2J\u009B2J\u202E\u2028";
    const line = jsonLine({ said });
    expect(line).toMatch(/^[ -~]+\n$/);
    expect(JSON.parse(line)).toEqual({ said });
  });
});

describe("verbose lines", () => {
  it("begin with [ralph] and have the words of the document (S1-66, S1-67)", () => {
    const said: string[] = [];
    const sink = createVerboseSink((line) => void said.push(line));
    sink.check({ gate: guardrailNamed("make test"), verdict: null });
    sink.check({ gate: guardrailNamed("make test"), verdict: { ...verdict(0), durationMs: 1200 } });
    show(sink, {}, done);
    expect(said.filter((line) => !line.startsWith("[ralph] "))).toEqual([]);
    expect(said).toContain("[ralph] Running guardrail: make test");
    expect(said).toContain("[ralph] Guardrail exited with code 0 (1.2s)");
    expect(said).toContain("[ralph] Iteration 1/3 starting");
    expect(said.join("\n")).toMatch(/\[ralph\] Completion check: .*"isPromised":true/);
    expect(said.join("\n")).toMatch(/\[ralph\] Agent exited with code 0 \(0\.0s\): /);
  });

  it("show the first 200 characters of each prompt on one line (S1-66)", () => {
    const said: string[] = [];
    const sink = createVerboseSink((line) => void said.push(line));
    sink.prompt?.("Do it.\nWell.");
    sink.prompt?.("😀".repeat(300));
    expect(said).toEqual(["[ralph] Prompt: Do it. Well.", `[ralph] Prompt: ${"😀".repeat(200)}`]);
  });

  it("hide what looks like a secret (S1-66)", () => {
    const flags = [
      "--api-key=abc123",
      "--token abc123",
      "--header",
      "Authorization: Bearer abc123",
      "--password",
      "abc123",
    ];
    const settings = settingsSchema.parse({
      agent: { command: "claude", flags },
      guardrails: [{ command: "TOKEN=abc123 make && curl -H 'x-api-key: abc123'", failAction: "APPEND" }],
    });
    const shown = JSON.stringify(redacted(settings));
    expect(shown).not.toContain("abc123");
    expect(shown).toContain('"command":"claude"');
    expect(shown).toContain('"maximumIterations":10');
    expect(redactedText("claude --api-key abc123 sk-ant-REDACTED")).toBe("claude --api-key [redacted] [redacted]");
  });

  it("leave settings readable that only sound like secrets (S1-66)", () => {
    const settings = settingsSchema.parse({
      budget: { tokens: 500 },
      agent: { command: "claude", keepEnv: ["API_KEY"] },
    });
    expect(redacted(settings)).toMatchObject({ budget: { tokens: 500 }, agent: { keepEnv: ["API_KEY"] } });
  });
});

describe("a played run", () => {
  it("is the same for every sink: what is shown is a fold of its steps", () => {
    const orders: string[] = [];
    const sink: ConsoleSink = {
      ...createJsonSink({ write: () => {}, offer: () => {}, now: () => 7 }),
      entry: (entry) => void (entry.kind === "step" && orders.push(...entry.effects.map(({ type }) => type))),
    };
    show(sink, {}, turn(), done);
    expect(orders).toEqual(goOn(play({}), turn(), done).effects.map(({ type }) => type));
  });
});

function guardrailNamed(name: string): CheckProgress["gate"] {
  return { name, tells: "output" };
}
