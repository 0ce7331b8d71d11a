import { describe, expect, it } from "vitest";
import { compareTests } from "../inventory/compare-tests.ts";
import type { TestCase } from "../reports/test-case.ts";
import { countTurned, judgeRepeats } from "./repeats.ts";

const test = (status: TestCase["status"]): TestCase => ({ file: null, suite: "", name: "adds", status });
const turned = compareTests({
  base: [test("failed")],
  now: [test("passed")],
  rule: "keep",
  quarantined: new Set(),
  counted: [],
});

describe("what turned green", () => {
  it.each([
    ["the tests of a report", { comparison: turned, baseExitCode: 1 }, 1],
    ["a check without a report that was red", { comparison: null, baseExitCode: 1 }, 1],
    ["a check without a report of which nobody knows how it was", { comparison: null, baseExitCode: null }, 1],
    ["not a check without a report that was green", { comparison: null, baseExitCode: 0 }, 0],
  ])("counts %s", (_, facts, expected) => {
    expect(countTurned(facts)).toBe(expected);
  });
});

describe("repeated runs", () => {
  const green = { exitCode: 0, tests: [test("passed")] };

  it("accept what stays green", () => {
    expect(judgeRepeats(turned, [green, green])).toBeNull();
    expect(judgeRepeats(null, [{ exitCode: 0, tests: null }])).toBeNull();
  });

  it("refuse a turned test that fails once, or does not run", () => {
    expect(judgeRepeats(turned, [green, { exitCode: 1, tests: [test("failed")] }])).toContain("adds");
    expect(judgeRepeats(turned, [{ exitCode: 0, tests: null }])).toContain("adds");
  });

  it("refuse a check without a report that exits with another code once", () => {
    const runs = [
      { exitCode: 0, tests: null },
      { exitCode: 1, tests: null },
    ];
    expect(judgeRepeats(null, runs)).toBe("The check turned green by chance: it failed in 1 of 3 runs.");
  });
});
