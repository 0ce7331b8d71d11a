import { describe, expect, it } from "vitest";
import type { TestCase, TestStatus } from "../reports/test-case.ts";
import { numberTests } from "../inventory/number-tests.ts";
import { judgeSealedCheck, type SealedCheckFacts } from "./judge-check.ts";

function tests(statuses: Record<string, TestStatus>): TestCase[] {
  return Object.entries(statuses).map(([name, status]) => ({ file: "a.test.js", suite: "", name, status }));
}

const green: SealedCheckFacts = {
  exitCode: 0,
  problem: null,
  report: { isReadable: true, tests: tests({ adds: "passed", divides: "passed" }) },
  inventory: tests({ adds: "passed", divides: "failed" }),
  counted: [],
  flaky: [],
  rule: "keep",
  touched: [],
  changedTests: [],
  allowed: [],
};

function check(facts: Partial<SealedCheckFacts>, reason: string): void {
  const verdict = judgeSealedCheck({ ...green, ...facts });
  expect(verdict.reason).toBe(reason);
  expect(verdict.isPassed).toBe(reason === "passed");
}

describe("a test that was red and green on the base", () => {
  const inventory = tests({ adds: "passed", sometimes: "passed" });
  const flaky = numberTests(inventory).flatMap(({ name, id }) => (name === "sometimes" ? [id] : []));
  const red = { isReadable: true, tests: tests({ adds: "passed", sometimes: "failed" }) } as const;
  const failed = { inventory, flaky, report: red, exitCode: 1, problem: '"npm test" exited with code 1' };

  it("may fail, and is named", () => {
    check(failed, "passed");
    expect(judgeSealedCheck({ ...green, ...failed }).tests?.flaky).toEqual(["a.test.js > sometimes"]);
  });

  it.each<[string, Partial<SealedCheckFacts>]>([
    [
      "beside another one that fails",
      { report: { isReadable: true, tests: tests({ adds: "failed", sometimes: "failed" }) } },
    ],
    ["where the candidate changed its file", { changedTests: ["a.test.js"] }],
    ["by not running", { report: { isReadable: true, tests: tests({ adds: "passed" }) } }],
    ["where the check fails for something else", { report: { isReadable: true, tests: inventory } }],
  ])("excuses nothing %s", (_, facts) => {
    expect(judgeSealedCheck({ ...green, ...failed, ...facts }).isPassed).toBe(false);
  });
});

describe("a sealed check", () => {
  it("passes when it ends well and every test of the base stands no worse", () => {
    check({}, "passed");
    expect(judgeSealedCheck(green).tests).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
      missing: 0,
      added: 0,
      names: [],
    });
  });

  it("passes by its exit code where it never gave a report", () => {
    check({ report: null, inventory: null }, "passed");
  });

  it("is refused without the report that it gave before the first turn", () => {
    check({ report: null }, "The check wrote no report, as it did before the first turn.");
    check({ report: { isReadable: false, problem: "is cut off" } }, "The report is cut off.");
  });

  it("is refused with a green exit code when a test of the base is missing or skipped", () => {
    check(
      { report: { isReadable: true, tests: tests({ divides: "passed" }) } },
      "1 test of the base did not run: a.test.js > adds.",
    );
    check(
      { report: { isReadable: true, tests: tests({ adds: "skipped", divides: "passed" }) } },
      "1 test ran at the base and is skipped now: a.test.js > adds.",
    );
  });

  it("counts the tests of a file whose names vary from run to run", () => {
    const counted = [{ group: "a.test.js", passedMin: 1, failedMax: 0 }];
    const asked = { counted, inventory: tests({ "port 1": "passed" }) };
    check({ ...asked, report: { isReadable: true, tests: tests({ "port 2": "passed" }) } }, "passed");
    const none = { isReadable: true as const, tests: tests({ "port 3": "skipped" }) };
    expect(judgeSealedCheck({ ...green, ...asked, report: none }).isPassed).toBe(false);
  });

  it("is refused when its report says otherwise than its exit code", () => {
    const report = { isReadable: true as const, tests: tests({ adds: "passed", divides: "failed" }) };
    check({ report }, "The report names failed tests, but the check ended with exit code 0.");
  });

  it("is refused when it wrote to a protected file", () => {
    check({ touched: ["test/expected.json"] }, "Protected files were written during the check: test/expected.json.");
  });

  it("is refused as every check is when it ends badly, with the tests that failed", () => {
    const report = { isReadable: true as const, tests: tests({ adds: "failed", divides: "passed" }) };
    check(
      { exitCode: 1, problem: '"npm test" exited with code 1', report },
      '"npm test" exited with code 1. 1 test failed: a.test.js > adds.',
    );
  });

  it("shows reports only where the settings want no more", () => {
    check({ rule: "free", report: { isReadable: true, tests: tests({ adds: "skipped" }) } }, "passed");
  });

  it("does not ask for tests that the agent may change, and names them", () => {
    const report = { isReadable: true as const, tests: tests({ other: "passed" }) };
    check({ report, allowed: ["a.test.js"] }, "passed");
    expect(judgeSealedCheck({ ...green, report, allowed: ["a.test.js"] }).tests?.allowed).toEqual([
      "a.test.js > adds",
      "a.test.js > divides",
    ]);
  });

  it("may be in dispute only when nothing but tests of changed files is red", () => {
    const red = {
      exitCode: 1,
      problem: "red",
      report: { isReadable: true as const, tests: tests({ adds: "failed", divides: "passed" }) },
    };
    const names = (facts: Partial<SealedCheckFacts>): string[] =>
      judgeSealedCheck({ ...green, ...red, ...facts }).disputable.map(({ name }) => name);
    expect(names({ changedTests: ["a.test.js"] })).toEqual(["adds"]);
    expect(names({ changedTests: ["b.test.js"] })).toEqual([]);
    expect(names({ changedTests: ["a.test.js"], touched: ["a.test.js"] })).toEqual([]);
    const known = {
      ...red,
      report: { isReadable: true as const, tests: tests({ adds: "passed", divides: "failed" }) },
    };
    expect(names({ ...known, changedTests: ["a.test.js"] })).toEqual(["divides"]);
  });
});
