import { expect, it } from "vitest";
import type { StageVerdict, Verdict } from "./verdict.ts";
import { isProof, proofText, redStagesText, verdictWord } from "./verdict-word.ts";

const green: Verdict = {
  index: 0,
  name: "make test",
  isPassed: true,
  exitCode: 0,
  isTimedOut: false,
  durationMs: 1,
  reason: "passed",
  output: { text: "" },
  logFile: null,
};
const believed: Verdict = { ...green, name: "DONE", method: "string_match", isUnverified: true };
const stage: StageVerdict = {
  name: "lint",
  method: "external",
  isPassed: false,
  isRequired: false,
  reason: "Command exited with 1, expected 0",
  exitCode: 1,
  durationMs: 1,
  logFile: null,
};

it("is green only by evidence, in every view", () => {
  expect(verdictWord(green)).toBe("green");
  expect(verdictWord({ ...green, isPassed: false })).toBe("red");
  expect(verdictWord({ ...believed, isPassed: false })).toBe("red");
  expect(verdictWord(believed)).toBe("unverified");
  expect(verdictWord({ isPassed: true, method: "string_match" })).toBe("unverified");
  expect(verdictWord({ isPassed: true, method: "semantic", isFallback: true })).toBe("unverified");
  expect([green, believed].map(isProof)).toEqual([true, false]);
});

it("names red stages that refuse nothing", () => {
  expect(redStagesText({ isPassed: true, stages: [stage, { ...stage, isPassed: true }] })).toBe(
    "red, not required: lint",
  );
  expect(redStagesText({ isPassed: false, stages: [stage] })).toBe("");
  expect(redStagesText(green)).toBe("");
});

it("sums up what passed, each with its own word", () => {
  const check = (verdicts: Verdict[], expected: string): void => expect(proofText(verdicts)).toBe(expected);
  check([green], "make test green");
  check([believed], "DONE met by the claim alone");
  check([green, believed], "make test green; DONE met by the claim alone");
  check([{ ...green, name: "the task list", isUnverified: true }], "the task list unverified");
  check([{ ...believed, stages: [stage] }], "DONE met by the claim alone; red, not required: lint");
  check([green, green, green, green], "make test, make test, make test and 1 more green");
});
