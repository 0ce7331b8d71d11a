import { describe, expect, it } from "vitest";
import { readVerification } from "./read-verification.ts";
import { writeVerification } from "./write-verification.ts";

describe("a verification", () => {
  const check = (method: string, config: unknown, expected: Record<string, unknown>): void => {
    const place = { path: "", keys: { method: "method", config: "config" }, depth: 1, problems: [] };
    const verification = readVerification({ method, config }, place);
    expect(place.problems).toEqual([]);
    expect(verification).toMatchObject(expected);
    if (verification === null) return;
    expect(readVerification({ method, config: writeVerification(verification) }, place)).toEqual(verification);
  };

  it.each([
    ["string_match", undefined, { promise: null, isLoose: false }],
    ["semantic", { check_for: "one thing" }, { checkFor: ["one thing"] }],
    ["semantic", {}, { checkFor: ["{{acceptance_criteria}}"], negativePatterns: [], model: null }],
    ["semantic", { check_for: ["a", " {{acceptance_criteria}} "] }, { checkFor: ["a", "{{acceptance_criteria}}"] }],
    ["external", { command: "x", timeout: "90s", success_exit_code: 7 }, { timeoutMs: 90_000, successExitCode: 7 }],
    ["external", { command: "x", timeout: 0.5, working_dir: "a/../b" }, { timeoutMs: 500, workingDir: "a/../b" }],
    ["multi_stage", { stages: [{}], parallel: true }, { parallelMax: 4, requireAll: true }],
    ["multi_stage", { stages: [{}], parallel: false, max_parallel: 3 }, { parallelMax: 1 }],
    ["custom", { module: "check.mjs", config: { a: 1 } }, { module: "check.mjs", command: null, config: { a: 1 } }],
    ["custom", { command: "./check" }, { command: ["./check"], timeoutMs: 300_000 }],
  ])("by %s with %j is read and written the same (S2-02, S2-22, S2-27, S2-35)", (method, config, expected) =>
    check(method, config, expected),
  );
});
