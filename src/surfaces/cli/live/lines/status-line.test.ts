import { describe, expect, it } from "vitest";
import { ask, goOn, play, turn, turnStarts } from "../../../../../tests/engine/play.ts";
import { noSpend } from "../../../../core/agents/spend.ts";
import { displayWidth } from "../../terminal/display-width.ts";
import { emojiMarks, textMarks } from "../../terminal/marks.ts";
import { type StatusFacts, statusText } from "./status-line.ts";

const quiet = { at: 0, turnSpend: null, agentDoes: null, checking: null, lastCheck: null };
const atWork: StatusFacts = { ...quiet, state: play({ guardrails: 1 }, turnStarts).state };
const busy: StatusFacts = {
  ...atWork,
  turnSpend: { ...noSpend, usd: 0.124, inputTokens: 45_000 },
  agentDoes: "Bash(npm run test -- --reporter=verbose --runInBand)",
  lastCheck: { command: "make test lint and everything else there is", word: "red" },
};

function check(facts: StatusFacts, expected: string, { now = 0, width = 200 } = {}): void {
  expect(statusText(facts, now, { width, marks: textMarks })).toBe(expected);
}

describe("the status line", () => {
  it("tells iteration, time, tokens, cost, last check and what it is doing (S1-77)", () => {
    check(atWork, "Iteration 1/3 | 0s | agent at work");
    check(
      busy,
      "Iteration 1/3 | 3m12s | 45K tokens | $0.12 | make test lint and ev... red | Bash(npm run test -- --reporter=verbose --runInBand)",
      { now: 192_000 },
    );
  });

  it("never makes up a price (S1-76)", () => {
    const unknown = { ...noSpend, usd: null, outputTokens: 5 };
    check({ ...atWork, turnSpend: unknown }, "Iteration 1/3 | 0s | 5 tokens | cost unknown | agent at work");
    const partial = { ...noSpend, usd: 1, isPartial: true as const };
    check({ ...atWork, turnSpend: partial }, "Iteration 1/3 | 0s | >$1.00 | agent at work");
  });

  it("names the guardrail at work, the wait with its rest, and a pause (S1-59)", () => {
    const checking = { ...quiet, state: play({ guardrails: 1 }, turn()).state, checking: "make test" };
    check(checking, "Iteration 1/3 | 0s | checking make test");
    const waiting = play({ retryDelayMs: 60_000 }, turn({ exitCode: 1, result: "none" })).state;
    const dueAt = waiting.pending?.type === "set-timer" ? waiting.pending.dueAt : 0;
    const text = statusText({ ...quiet, state: waiting, at: dueAt - 5000 }, dueAt - 5000, {
      width: 99,
      marks: textMarks,
    });
    expect(text).toMatch(/waiting \(back-off\) 5s$/);
    const paused = goOn(play({}), ask("pause"), turn()).state;
    expect(statusText({ ...quiet, state: paused }, 99_000, { width: 99, marks: textMarks })).toMatch(
      /\| 0s \| paused$/,
    );
  });

  it.each([200, 140, 100, 80, 60, 40, 20, 5])("fits into %d columns, whatever is in it (S1-77)", (width) => {
    const wide = {
      ...busy,
      agentDoes: "Bash(echo 漢字 👨‍👩‍👧‍👦 漢字漢字漢字漢字漢字漢字)",
      lastCheck: { command: "検査 ".repeat(20), word: "green" as const },
    };
    for (const facts of [atWork, busy, wide])
      expect(displayWidth(statusText(facts, 0, { width, marks: emojiMarks }))).toBeLessThanOrEqual(width);
  });

  it("gives up tokens, then the check, then the cost before what it is doing (S1-77)", () => {
    const at = (width: number): string => statusText(busy, 0, { width, marks: textMarks });
    expect(at(100)).toBe(
      "Iteration 1/3 | 0s | 45K tokens | $0.12 | make test lint and ev... red | Bash(npm run test -- --r...",
    );
    expect(at(80)).toBe("Iteration 1/3 | 0s | $0.12 | Bash(npm run test -- --reporter=verbose --runInB...");
    expect(at(50)).toBe("Iteration 1/3 | 0s | Bash(npm run test -- --rep...");
  });

  it("cannot be drawn over by what an agent or a command is called (S1-74)", () => {
    const facts = { ...atWork, lastCheck: { command: "make\u001B[2J\ntest", word: "green" as const } };
    check(facts, "Iteration 1/3 | 0s | make test green | agent at work");
  });
});
