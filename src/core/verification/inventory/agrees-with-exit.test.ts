import { expect, it } from "vitest";
import type { TestCase } from "../reports/test-case.ts";
import { judgeAgreement } from "./agrees-with-exit.ts";

const test = (status: TestCase["status"]): TestCase => ({ file: null, suite: "", name: "a", status });

it.each([
  [["passed"], 0, "agrees"],
  [["passed"], 1, "green-but-failed"],
  [["skipped"], 1, "green-but-failed"],
  [["passed", "failed"], 1, "agrees"],
  [["passed", "failed"], 0, "red-but-succeeded"],
  [[], 0, "agrees"],
  [[], 5, "agrees"],
] as const)("a report with %j and exit code %i: %s", (statuses, exitCode, expected) => {
  expect(judgeAgreement({ isReadable: true, tests: statuses.map(test) }, exitCode)).toBe(expected);
});

it("a report that cannot be read agrees with nothing", () => {
  expect(judgeAgreement({ isReadable: false, problem: "ends too early" }, 0)).toBe("unreadable");
});
