import { expect, it } from "vitest";
import { checks, deliveredAs, doneAs, play } from "../../../../../tests/engine/play.ts";
import { decide } from "../../../../core/engine/decide.ts";
import type { Feedback } from "../../../../core/run/feedback.ts";
import type { Request } from "../../../../core/run/observation.ts";
import { settingsSchema } from "../../../../core/settings/settings.ts";
import { textMarks } from "../../terminal/marks.ts";
import { checkLine, emptyTally, entryLines } from "./run-lines.ts";

const settings = settingsSchema.parse({
  guardrails: [
    { command: "make test", failAction: "APPEND" },
    { command: "make lint", failAction: "APPEND", hint: "Mind the rules." },
  ],
});

/** What a person reads of the reasons that go into the next prompt. */
function check(feedback: Feedback, expected: string): void {
  const { state, effects } = play({});
  const turns = effects.flatMap((effect) =>
    effect.type === "begin-turn" ? [{ ...effect, feedback: [feedback] }] : [],
  );
  const observation = { type: "run-started" as const, at: 0, upMs: 0 };
  const entry = { kind: "step" as const, at: 0, observation, effects: turns };
  const [, lines] = entryLines(emptyTally, entry, { state, settings, marks: textMarks });
  expect(lines.map(({ text }) => text)).toContain(`  the agent is told: ${expected}`);
}

const failed = { kind: "output" as const, exitCode: 2, logFile: null, output: { text: "" } };

it("says what the agent is told of a failed guardrail, with its hint where there is one (S1-59)", () => {
  check({ ...failed, name: "make test" }, 'guardrail "make test" failed with exit code 2, its output');
  check({ ...failed, name: "make lint" }, 'guardrail "make lint" failed with exit code 2, its hint and its output');
});

it("says which promise was wrong", () =>
  check({ kind: "wrong-promise", found: "MAYBE", expected: "DONE" }, "wrong promise 'MAYBE', expected 'DONE'"));

it("says that a claim is verified, by what, and why it was not (S2-19, S2-26)", () => {
  const facts = { index: 0, name: "x", exitCode: 0, isTimedOut: false, durationMs: 1000, output: { text: "" } };
  const line = (verdict: object | null): string => {
    const told = verdict === null ? null : { ...facts, isPassed: true, reason: "r", logFile: null, ...verdict };
    return checkLine({ gate: { name: "It works", tells: "reason" }, verdict: told }, settings).text;
  };
  expect(line(null)).toBe("  verifying: It works");
  expect(line({ method: "external" })).toBe("  verified (external, 1.0s): It works");
  expect(line({ method: "semantic", isPassed: false })).toBe("  not verified (semantic, 1.0s): r");
  expect(line({ method: "semantic", isFallback: true })).toMatch(/^ {2}met by the claim alone, not verified .*decided/);
  expect(line({ method: "string_match", isUnverified: true })).toBe(
    "  met by the claim alone, not verified (string_match, 1.0s): It works",
  );
});

it("says why the checks of a claim run a second time, and nothing where they do not", () => {
  const textOf = (tree: string, differing: string[]): string => {
    const { state: before } = play({ guardrails: 1, hasDelivery: true }, doneAs("t1"), checks(0));
    const [news] = deliveredAs(tree, differing).news(before.pending?.id ?? 0);
    if (news === undefined) throw new Error("a delivery is news");
    const observation = { ...news, at: 0, upMs: 0 };
    const [state, effects] = decide(before, observation);
    const entry = { kind: "step" as const, at: 0, observation, effects };
    const [, lines] = entryLines(emptyTally, entry, { state, settings, marks: textMarks });
    return lines.map(({ text }) => text).join("\n");
  };
  expect(textOf("t2", ["Cargo.lock", "b"])).toContain(
    "  changed since the turn: Cargo.lock and 1 more; the checks run once more",
  );
  expect(textOf("t1", [])).not.toContain("once more");
});

it("says in plain words what was asked for elsewhere, and nothing of a signal, which is answered at once", () => {
  const linesOf = (request: Request): string[] => {
    const { state } = play({});
    const observation = { type: "asked" as const, request, seq: null, at: 0, upMs: 0 };
    const entry = { kind: "step" as const, at: 0, observation, effects: [] };
    return entryLines(emptyTally, entry, { state, settings, marks: textMarks })[1].map(({ text }) => text);
  };
  expect(linesOf("interrupt")).toEqual([]);
  expect(linesOf("interrupt-now")).toEqual([]);
  expect(linesOf("go-on")).toEqual(["  asked to continue"]);
});
