import { describe, expect, it } from "vitest";
import type { TestCase } from "../reports/test-case.ts";
import { compareTests } from "./compare-tests.ts";
import {
  agreementText,
  countsText,
  exitCodeOnly,
  namesOfTests,
  refusalText,
  unreadableText,
  unstableText,
} from "./inventory-texts.ts";
import { numberTests } from "./number-tests.ts";
import type { Refusal } from "./refusal.ts";

const test = (name: string): TestCase => ({ file: "a.js", suite: "s", name, status: "passed" });

describe("the sentences about tests", () => {
  it.each<[Refusal, string]>([
    [{ kind: "failed", tests: numberTests([test("x")]) }, "1 test failed: a.js > s > x"],
    [
      { kind: "missing", tests: numberTests([test("x"), test("y")]) },
      "2 tests of the base did not run: a.js > s > x; a.js > s > y",
    ],
    [{ kind: "skipped", tests: numberTests([test("x")]) }, "1 test ran at the base and is skipped now: a.js > s > x"],
    [{ kind: "fewer", group: null, passedBase: 3, passedNow: 1 }, "1 test passed, and at the base 3"],
    [{ kind: "more-failed", group: "a.js", failedBase: 0, failedNow: 2 }, "a.js: 2 tests failed, and at the base 0"],
    [{ kind: "empty", baseCount: 7 }, "No test ran (0 of 7)"],
  ])("row %# says why a claim is refused", (refusal, expected) => expect(refusalText(refusal)).toBe(expected));

  it("name at most 20 tests, each on one line and without what a terminal obeys", () => {
    const many = Array.from({ length: 23 }, (_, index) => test(`t${index}`));
    expect(namesOfTests(many)).toMatch(/; a\.js > s > t19; and 3 more$/);
    expect(namesOfTests([test("a\nb\u001b[31mc")])).toBe("a.js > s > a bc");
    expect(namesOfTests([test("n".repeat(5000))]).length).toBeLessThan(300);
    expect(namesOfTests([{ file: "a.js", suite: "", name: "a.js" }])).toBe("a.js");
  });

  it("tell how a report and an exit code disagree", () => {
    expect(agreementText("agrees", 0)).toBeNull();
    expect(agreementText("green-but-failed", 3)).toBe(
      "The report names no failed test, but the check ended with exit code 3",
    );
    expect(agreementText("red-but-succeeded", 0)).toBe(
      "The report names failed tests, but the check ended with exit code 0",
    );
    expect(agreementText("unreadable", 0)).toBe("The check wrote no report that can be read");
    expect(unreadableText("ends too early")).toBe("The report ends too early");
    expect(exitCodeOnly).toBe('evidence: "exit code"');
  });

  it("tell the agent of tests that did not pass each time", () => {
    expect(unstableText([test("x")], 3)).toBe("1 test did not pass in each of 3 runs: a.js > s > x");
  });

  it("give the numbers on one line", () => {
    const failed: TestCase = { ...test("y"), status: "failed" };
    const found = compareTests({
      base: [test("x"), test("z")],
      now: [test("x"), failed, { ...test("w"), status: "skipped" }, test("v")],
      rule: "keep",
      quarantined: new Set(),
      counted: [],
    });
    expect(countsText(found)).toBe("2 passed, 1 failed, 1 skipped, 1 missing, 3 added, 1 turned green");
  });
});
