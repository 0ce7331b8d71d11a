import { describe, expect, it } from "vitest";
import { readLibtest } from "./libtest-report.ts";

function outline(lines: readonly string[]): string {
  const content = readLibtest(lines.join("\n"));
  if (!content.isReadable) return content.problem;
  return content.tests
    .map(({ status, file, name, isWhole }) => `${isWhole === true ? "whole" : status} ${file ?? "-"} ${name}`)
    .join(", ");
}

const sum = (passed: number, failed: number, ignored: number): string =>
  `test result: ok. ${passed} passed; ${failed} failed; ${ignored} ignored; 0 measured; 0 filtered out`;

describe("what cargo test prints", () => {
  it.each([
    [["running 1 test", "test a ... ok", sum(1, 0, 0)], "passed - a"],
    [["running 1 test", "test m::a ... FAILED", sum(0, 1, 0)], "failed - m::a"],
    [["running 1 test", "test a ... ignored", sum(0, 0, 1)], "skipped - a"],
    [["running 1 test", "test a ... ignored, not here", sum(0, 0, 1)], "skipped - a"],
    [["running 1 test", "test a - should panic ... ok", sum(1, 0, 0)], "passed - a"],
    [
      ["   Running unittests src/lib.rs (t/p-1)", "running 1 test", "test a ... ok", sum(1, 0, 0)],
      "passed src/lib.rs a",
    ],
    [["   Running tests/b.rs (t/b-1)", "running 0 tests", sum(0, 0, 0)], ""],
    [["running 1 test", "test src/lib.rs - add (line 4) ... ok", sum(1, 0, 0)], "passed src/lib.rs add"],
    [["running 1 test", "test src/lib.rs - (line 4) ... ok", sum(1, 0, 0)], "passed src/lib.rs "],
    [
      ["running 1 test", "test a ... ok", "test forged ... ok", sum(1, 0, 0)],
      "has a group of tests whose sum is another one",
    ],
    [["running 2 tests", "test a ... ok", sum(2, 0, 0)], "has a group of tests whose sum is another one"],
    [["running 2 tests", "test a ... ok"], "passed - a, whole - "],
    [["running 2 tests", "test a ... ok", "running 0 tests", sum(0, 0, 0)], "passed - a, whole - "],
    [["test a ... ok", sum(1, 0, 0)], "has no group of tests"],
    [[""], "has no group of tests"],
  ])("%j: %s", (lines, expected) => expect(outline(lines)).toBe(expected));
});
