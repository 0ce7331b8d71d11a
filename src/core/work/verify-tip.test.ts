import { describe, expect, it } from "vitest";
import type { Verdict } from "../verification/verdict.ts";
import type { Gate, GateWhen } from "../contract/gate.ts";
import { judgeTip, nextTipGate, type TipAnswers, tipReason } from "./verify-tip.ts";

function gate(id: string, when: GateWhen): Gate {
  const limits = { wallMs: null };
  return {
    id,
    kind: "any",
    name: id,
    when,
    isBeforeDelivery: true,
    isAlways: false,
    origin: "",
    limits,
    tells: "output",
  };
}

const gates = [
  gate("baseline", "before-first-turn"),
  gate("lint", "every-turn"),
  gate("accepted", "on-claim"),
  gate("test", "every-turn"),
];

function verdict(isPassed: boolean): Verdict {
  const reason = isPassed ? "passed" : "it failed";
  const facts = { exitCode: isPassed ? 0 : 1, isTimedOut: false, durationMs: 1, output: { text: "" }, logFile: null };
  return { index: 0, name: "a check", isPassed, reason, ...facts };
}

const green = { verdicts: [verdict(true)], isCut: false, stop: null };
const red = { verdicts: [verdict(true), verdict(false)], isCut: false, stop: null };
const cut = { verdicts: [], isCut: true, stop: null };
const mute = { verdicts: [], isCut: false, stop: null };
const stopped = { ...mute, stop: { name: "waiting" as const, reason: "The judge does not answer." } };

describe("the merged tip", () => {
  const check = (answers: TipAnswers, next: string | null, kind: "keep" | "undo" | "hold"): void =>
    expect([nextTipGate(gates, answers)?.id ?? null, judgeTip(gates, answers).kind]).toEqual([next, kind]);

  it("is asked every check of the project, those of every turn before those on a claim", () => {
    check({}, "lint", "hold");
    check({ lint: green }, "test", "hold");
    check({ lint: green, test: green }, "accepted", "hold");
  });

  it("is kept only with a green verdict of every gate (a task is done only with every project gate green)", () => {
    check({ lint: green, test: green, accepted: green }, null, "keep");
    check({ lint: green, test: green, accepted: mute }, null, "hold");
    check({ lint: green, test: green, accepted: { ...green, isCut: true } }, null, "hold");
  });

  it("is undone by one red verdict, once all checks of its kind have spoken", () => {
    check({ lint: red }, "test", "undo");
    check({ lint: red, test: green }, null, "undo");
    check({ lint: green, test: green, accepted: red }, null, "undo");
  });

  it("waits when checks were cut or cannot be carried out, unless one was red before", () => {
    check({ lint: cut }, null, "hold");
    check({ lint: green, test: cut }, null, "hold");
    check({ lint: green, test: green, accepted: stopped }, null, "hold");
    check({ lint: red, test: cut }, null, "undo");
  });

  it("is kept where the project has no check", () => expect(judgeTip([], {})).toEqual({ kind: "keep" }));

  it("tells the coder the check, why it is red and the end of its output", () => {
    const said = tipReason(
      { ...verdict(false), name: "npm test", reason: '"npm test" exited with code 1' },
      "1 failed\n",
    );
    expect(said).toBe(
      'Merged with the work of others, a check of the project is red: "npm test" exited with code 1\n1 failed',
    );
    expect(tipReason(verdict(false), "").endsWith("red: a check: it failed")).toBe(true);
  });
});
