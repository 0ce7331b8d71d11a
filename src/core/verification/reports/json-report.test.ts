import { describe, expect, it } from "vitest";
import { readJestJson } from "./jest-json.ts";
import { readJson } from "./json-report.ts";
import { readMochaJson } from "./mocha-json.ts";
import { readPlaywrightJson } from "./playwright-json.ts";

/** Statuses with marks, or the problem. */
function outline(value: unknown): string {
  const content = readJson(JSON.stringify(value));
  if (!content.isReadable) return content.problem;
  return content.tests
    .map(({ status, isWhole, isRetried }) =>
      [status, isWhole && "whole", isRetried && "retried"].filter(Boolean).join(" "),
    )
    .join(", ");
}

describe("a JSON report", () => {
  it.each(["", "{", "[]", "null", "1", '"text"', "\u0000", "[".repeat(100_000)])("that is none: row %#", (text) =>
    expect(readJson(text)).toEqual({ isReadable: false, problem: "is not JSON" }),
  );

  it("of another program is not readable", () =>
    expect(outline({ tests: [], results: [] })).toBe("has no tests of a runner that is known"));

  it("may begin with a byte order mark", () =>
    expect(readJson('\uFEFF{"testResults":[]}')).toEqual({ isReadable: true, tests: [] }));
});

describe("a test of jest or vitest", () => {
  const reportOf = (result: object, file = {}): unknown => ({
    testResults: [{ name: "a.test.js", status: "passed", assertionResults: [{ title: "a", ...result }], ...file }],
  });

  it.each([
    [{ status: "passed" }, "passed"],
    [{ status: "passed", invocations: 2 }, "passed retried"],
    [{ status: "passed", failureMessages: ["x"] }, "passed retried"],
    [{ status: "failed" }, "failed"],
    [{ status: "pending" }, "skipped"],
    [{ status: "skipped" }, "skipped"],
    [{ status: "todo" }, "skipped"],
    [{ status: "disabled" }, "skipped"],
    [{ status: "PASSED" }, "failed"],
    [{}, "failed"],
    [{ title: 1 }, "has a test without a title"],
  ])("with %j is %s", (result, expected) => expect(outline(reportOf(result))).toBe(expected));

  it.each([
    [{ status: "failed" }, "passed, failed whole"],
    [{ assertionResults: [], status: "failed" }, "failed whole"],
    [{ assertionResults: [], status: "passed" }, ""],
    [{ assertionResults: "none" }, "has a file without a list of tests"],
    [{ name: null }, "has a file without a name"],
  ])("in a file with %j: %s", (file, expected) => expect(outline(reportOf({ status: "passed" }, file))).toBe(expected));

  it("shows an error that belongs to no test", () => {
    expect(outline({ success: false, ...(reportOf({ status: "passed" }) as object) })).toBe("passed, failed whole");
    expect(readJestJson({ success: false }, [])).toEqual({ isReadable: true, tests: [] });
  });
});

describe("a test of mocha", () => {
  const one = { title: "a", fullTitle: "s a", file: "a.js", err: {} };
  const two = { ...one, err: { message: "x" } };

  it.each([
    [{ tests: [one], pending: [], failures: [] }, "passed"],
    [{ tests: [{ ...one, currentRetry: 1 }], pending: [], failures: [] }, "passed retried"],
    [{ tests: [two], pending: [], failures: [two] }, "failed"],
    [{ tests: [one], pending: [one], failures: [] }, "skipped"],
    [{ tests: [one, two], pending: [], failures: [two] }, "passed, failed"],
    [{ tests: [two], pending: [], failures: [] }, "failed"],
    [{ tests: [one], pending: [], failures: [one] }, "passed, failed"],
    [{ tests: [], pending: [], failures: [{ title: '"before all" hook in "s"' }] }, "failed whole"],
    [{ tests: [{}] }, "has a test without a title"],
    [{ tests: [], failures: [7] }, "has a failure without a title"],
  ])("in %j is %s", (lists, expected) => expect(outline({ stats: {}, ...lists })).toBe(expected));

  it("is in the suite that its full title begins with", () => {
    const content = readMochaJson({}, [one]);
    expect(content).toEqual({ isReadable: true, tests: [{ file: "a.js", suite: "s", name: "a", status: "passed" }] });
  });
});

describe("a test of playwright", () => {
  const reportOf = (tests: unknown[], more = {}): unknown => ({
    config: { rootDir: "/p/tests" },
    suites: [{ title: "a.spec.js", suites: [{ title: "s", specs: [{ title: "a", file: "a.spec.js", tests }] }] }],
    ...more,
  });

  it.each([
    [{ status: "expected", expectedStatus: "passed" }, "passed"],
    [{ status: "expected", expectedStatus: "failed" }, "skipped"],
    [{ status: "expected" }, "skipped"],
    [{ status: "unexpected" }, "failed"],
    [{ status: "flaky" }, "passed retried"],
    [{ status: "skipped" }, "skipped"],
    [{}, "failed"],
    [7, "failed"],
  ])("with %j is %s", (test, expected) => expect(outline(reportOf([test]))).toBe(expected));

  it("has its file from the folder of the tests, and its project in its suite", () => {
    const report = reportOf([{ projectName: "one", status: "flaky" }]) as { suites: unknown[] };
    expect(readPlaywrightJson(report, report.suites)).toEqual({
      isReadable: true,
      tests: [{ file: "/p/tests/a.spec.js", suite: "[one] > s", name: "a", status: "passed", isRetried: true }],
    });
  });

  it("shows an error that belongs to no test", () =>
    expect(outline(reportOf([], { errors: [{ message: "x" }] }))).toBe("failed whole"));

  it("may not be nested without end", () => {
    let suite: unknown = { title: "deep" };
    for (let depth = 0; depth < 200; depth += 1) suite = { title: "s", suites: [suite] };
    expect(outline({ config: {}, suites: [suite] })).toBe("has a broken suite");
  });
});
