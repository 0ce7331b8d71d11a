import { describe, expect, it } from "vitest";
import { checks, done, type Move, policyOf, turnEnds, turnStarts, verdict } from "../../../../tests/engine/play.ts";
import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import { noSpend } from "../../../core/agents/spend.ts";
import { decide } from "../../../core/engine/decide.ts";
import { newRun } from "../../../core/run/state.ts";
import { textMarks } from "../terminal/marks.ts";
import { createStatusSink } from "./status-sink.ts";

/** A run in front of the status line; `happens` lets it go on. */
function open() {
  let changes = 0;
  let state = newRun(policyOf({ guardrails: 1 }));
  const sink = createStatusSink({ marks: textMarks, now: () => 1 }, () => (changes += 1));
  const happens = (...moves: Move[]): void => {
    for (const { news } of moves) {
      for (const each of news(state.pending?.id ?? 0)) {
        const observation = { ...each, at: 1, upMs: 1 };
        const [next, effects] = decide(state, observation);
        state = next;
        sink.entry({ kind: "step", at: 1, observation, effects }, state);
      }
    }
  };
  const start: Move = { news: () => [{ type: "run-started" }], passMs: 0 };
  return { sink, happens, start, changes: () => changes, text: () => sink.text(200) };
}

const made = { name: "make test", tells: "output" as const };

const tool: AgentEvent = {
  type: "tool-started",
  toolId: "1",
  name: "Bash",
  summary: "make",
  canChange: true,
  isSub: false,
};

describe("the facts of the status line", () => {
  it("follow the run: tools, thoughts, spend, guardrails, the end (S1-77)", () => {
    const { sink, happens, start, text } = open();
    expect(text()).toBe("");
    happens(start, turnStarts);
    expect(text()).toBe("Iteration 1/3 | 0s | agent at work");
    sink.agentEvent(tool, 1);
    expect(text()).toMatch(/\| Bash\(make\)$/);
    sink.agentEvent({ type: "tool-ended", toolId: "1", name: null, output: "", isError: false, isDenied: false }, 1);
    expect(text()).toMatch(/\| agent at work$/);
    sink.agentEvent({ type: "thinking", text: "hm", isSub: false }, 1);
    expect(text()).toMatch(/\| agent thinks$/);
    sink.agentEvent({ type: "usage", spend: { ...noSpend, usd: 0.5, outputTokens: 7 } }, 1);
    expect(text()).toContain("| 7 tokens | $0.50 |");
    happens(turnEnds());
    sink.check({ gate: made, verdict: null });
    expect(text()).toMatch(/\| checking make test$/);
    sink.check({ gate: made, verdict: verdict(1) });
    happens(checks(1));
    expect(text()).toMatch(/^Iteration 2\/3 .* make test red \| starting the agent$/);
    happens(done, checks(0));
    expect(text()).toBe("");
  });

  it("do not count the spend of a turn twice once it is over (S1-76)", () => {
    const { sink, happens, start, text } = open();
    const spend = { ...noSpend, usd: 0.5 };
    happens(start, turnStarts);
    sink.agentEvent({ type: "usage", spend }, 1);
    happens(turnEnds({ spend }));
    expect(text()).toContain("| $0.50 |");
  });

  it("tell of each change, so that the line can be drawn again", () => {
    const { sink, happens, start, changes } = open();
    sink.agentEvent(tool, 1);
    expect(changes()).toBe(0);
    happens(start);
    sink.agentEvent(tool, 1);
    expect(changes()).toBe(2);
  });
});
