import { describe, expect, it } from "vitest";
import { type AnsweredGates, isInDispute, judgeVerification } from "./judge-verification.ts";
import type { VerifiedCheck } from "./verification.ts";

const green: VerifiedCheck = {
  gate: "guardrail-1",
  name: "npm test",
  isPassed: true,
  isSealed: true,
  isUnverified: false,
  exitCode: 0,
  isTimedOut: false,
  durationMs: 5,
  reason: "passed",
  tests: null,
  output: "",
  log: null,
};
const red = { ...green, isPassed: false, exitCode: 1, reason: "It failed." };
const word = { ...green, isUnverified: true };

const check = (given: Partial<AnsweredGates>, verdict: string, reasons: string[] = []): void => {
  const all = { asked: ["guardrail-1"], checks: [green], isDisputed: false, ...given };
  expect(judgeVerification(all)).toEqual({ verdict, reasons });
};

describe("a candidate", () => {
  it("is verified when every gate is green", () => check({}, "verified"));

  it("is refused with the reason of each red check", () => {
    const checks = [green, red, { ...red, name: "lint" }];
    check({ checks }, "refused", ["npm test: It failed.", "lint: It failed."]);
  });

  it("is refused when a gate gave no verdict", () => {
    check({ asked: ["guardrail-1", "sealed"] }, "refused", ["sealed: It gave no verdict."]);
  });

  it("is refused when no check looked at the work", () => {
    check({ checks: [word] }, "refused", ["No check looked at the work."]);
    check({ checks: [word, green] }, "verified");
    check({ asked: [], checks: [] }, "refused", ["No check looked at the work."]);
  });

  it("is in dispute when a gate says so, whatever else it says", () => {
    check({ checks: [red], isDisputed: true }, "disputed", ["npm test: It failed."]);
  });
});

describe("a dispute", () => {
  const disputable = { verdicts: [{ isPassed: false, isDisputable: true as const }], slot: null };
  const found = { verdicts: [{ isPassed: false }], slot: { hash: "5", dispute: { files: ["a.test.js"] } } };

  it("is found by the gate of the seal, with nothing else red than the disputed tests", () => {
    expect(isInDispute([disputable, found])).toBe(true);
    expect(isInDispute([disputable, { ...found, slot: { hash: "5" } }])).toBe(false);
    expect(isInDispute([disputable, { verdicts: [{ isPassed: false }], slot: null }, found])).toBe(false);
  });
});
