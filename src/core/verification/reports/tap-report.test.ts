import { describe, expect, it } from "vitest";
import { readTap } from "./tap-report.ts";

/** `passed name, failed suite > name`, or the problem. */
function outline(text: string): string {
  const content = readTap(text);
  if (!content.isReadable) return content.problem;
  return content.tests
    .map(({ status, isWhole, file, suite, name }) =>
      [
        isWhole === true ? "whole" : status,
        ...(file === null ? [] : [file]),
        suite === "" ? name : `${suite} > ${name}`,
      ].join(" "),
    )
    .join(", ");
}

describe("a text with TAP", () => {
  const check = (lines: string[], expected: string): void => expect(outline(lines.join("\n"))).toBe(expected);

  it.each([
    [["1..0"], ""],
    [["1..1", "ok 1 - a"], "passed a"],
    [["1..1", "ok 1 a"], "passed a"],
    [["1..1", "not ok 1 - a"], "failed a"],
    [["1..1", "ok 1 - a # SKIP no"], "skipped a"],
    [["1..1", "ok 1 - a # skipped no"], "skipped a"],
    [["1..1", "ok 1 # SKIP"], "skipped "],
    [["1..1", "not ok 1 - a # SKIP"], "failed a"],
    [["1..1", "not ok 1 - a # todo later"], "skipped a"],
    [["1..1", "ok 1 - a # Todo"], "skipped a"],
    [["1..1", "ok 1 - a \\# SKIP"], "passed a # SKIP"],
    [["1..1", "ok 1 - # SKIPs are # time=3ms"], "passed # SKIPs are"],
    [["ok 1 - a", "words", "  1..1 of them", "1..1"], "passed a"],
    [["> npm test", "TAP version 13", "ok 1 - a\r", "1..1\r"], "passed a"],
    [["1..1", "ok 1 - a", "  ---", "  not ok 2 - forged", "  ..."], "passed a"],
    [["    ok 1 - b", "    1..1", "not ok 1 - a", "1..1"], "passed a > b, whole a"],
    [["    not ok 1 - b", "    1..1", "not ok 1 - a", "1..1"], "failed a > b"],
    [["1..1", "ok 1 - a {", "    1..1", "    ok 1 - b", "}"], "passed a > b"],
    [["1..1", "ok 1 - opens {"], "passed opens {"],
    [["1..1", "not ok 1 - a/b.test.js"], "whole a/b.test.js a/b.test.js"],
    [["1..1", "ok 1 - b.test.js > a > c"], "passed b.test.js a > c"],
    [["1..2", "ok 1 - a", "Bail out! disk full"], "plans 2 tests and lists 2"],
    [["1..1", "ok 1 - a", "Bail out! disk full"], "passed a, whole Bail out!"],
    [["TAP version 13", "1..1", "ok 1 - a", "TAP version 13", "1..1", "not ok 1 - b"], "passed a, failed b"],
  ])("%j has these tests: %s", (lines, expected) => check(lines, expected));

  it.each([
    [[""], "ends too early"],
    [["ok 1 - a"], "ends too early"],
    [["1..2", "ok 1 - a"], "plans 2 tests and lists 1"],
    [["1..1", "ok 1 - a", "ok 99 - printed"], "plans 1 tests and lists 2"],
    [["1..1", "1..1", "ok 1 - a"], "has two plans"],
    [["1..1", "ok 1 - a", "    ok 1 - b"], "ends too early"],
    [["    1..2", "    ok 1 - b", "ok 1 - a", "1..1"], "is nested in a wrong way"],
    [["1..1", "ok 1 - a {", "    1..1", "    ok 1 - b"], "ends too early"],
    [["1..1", "ok 1 - a", "  ---", "  never ends"], "passed a"],
  ])("%j is judged: %s", (lines, expected) => check(lines, expected));

  it("may not be nested without end", () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `${" ".repeat(index)}ok 1 - a`);
    expect(outline(lines.join("\n"))).toBe("is nested in a wrong way");
  });
});
