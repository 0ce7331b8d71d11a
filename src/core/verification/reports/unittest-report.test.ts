import { describe, expect, it } from "vitest";
import { readUnittest } from "./unittest-report.ts";

function outline(lines: readonly string[]): string {
  const content = readUnittest(lines.flatMap((line) => (line.startsWith("Ran ") ? [line, ""] : line)).join("\n"));
  if (!content.isReadable) return content.problem;
  return content.tests
    .map(({ status, suite, name, isWhole }) => `${isWhole === true ? "whole" : status} ${suite}/${name}`)
    .join(", ");
}

const rule = "=".repeat(70);

describe("what unittest prints", () => {
  it.each([
    [["a (m.C) ... ok", "Ran 1 test in 0.1s", "OK"], "passed m.C/a"],
    [["a (m.C.a) ... ok", "Ran 1 test in 0.1s", "OK"], "passed m.C/a"],
    [["a (m.C.a) ... FAIL", "Ran 1 test in 0.1s", "OK"], "failed m.C/a"],
    [["a (m.C.a) ... ERROR", "Ran 1 test in 0.1s", "OK"], "failed m.C/a"],
    [["a (m.C.a) ... expected failure", "Ran 1 test in 0.1s", "OK (expected failures=1)"], "skipped m.C/a"],
    [["a (m.C.a) ... unexpected success", "Ran 1 test in 0.1s", "OK"], "failed m.C/a"],
    [["a (m.C.a) ... skipped 'no'", "Ran 1 test in 0.1s", "OK (skipped=1)"], "skipped m.C/a"],
    [["a (m.C.a) ... skipped 'no'", "Ran 0 tests in 0.1s", "NO TESTS RAN (skipped=1)"], "skipped m.C/a"],
    [["a (m.C.a)", "Says ok. ... ok", "Ran 1 test in 0.1s", "OK"], "passed m.C/a"],
    [["a (m.C.a) ... printed", "more ok", "Ran 1 test in 0.1s", "OK"], "passed m.C/a"],
    [
      ["a (m.C) ... b (m.C) ... ok", rule, "FAIL: a (m.C) (i=1)", "Ran 2 tests in 0.1s", "OK"],
      "failed m.C/a, passed m.C/b",
    ],
    [
      ["a (m.C.a) ... ", "  a (m.C.a) (i=1) ... FAIL", rule, "FAIL: a (m.C.a) (i=1)", "Ran 1 test in 1s", "OK"],
      "failed m.C/a",
    ],
    [["a (m.C.a) ... ok", rule, "ERROR: a (m.C.a)", "Ran 1 test in 0.1s", "OK"], "failed m.C/a"],
    [["setUpClass (m.C) ... ERROR", "Ran 0 tests in 0.1s", "OK"], "whole m.C/setUpClass"],
    [["ERROR", rule, "ERROR: setUpClass (m.C)", "Ran 0 tests in 0.1s", "OK"], "whole m.C/setUpClass"],
    [["t.m (unittest.loader._FailedTest.t.m) ... ERROR", "Ran 1 test in 0.1s", "OK"], "whole t.m/"],
    [
      ["a (m.C.a) ... ok", "Ran 1 test in 1s", "OK", "b (m.C.b) ... ok", "Ran 1 test in 1s", "OK"],
      "passed m.C/a, passed m.C/b",
    ],
    [["Ran 0 tests in 0.0s", "NO TESTS RAN"], ""],
    [["a (m.C.a) ... ok", "b (m.C.b) ... ok", "Ran 1 test in 1s", "OK"], "says that 1 tests ran and names 2"],
    [["a (m.C.a) ... ok", "Ran 2 tests in 1s", "OK"], "says that 2 tests ran and names 1"],
    [["a (m.C.a) ... ok"], "ends too early"],
    [["a (m.C.a) ... ok", "Ran 1 test in 1s", "OK", "b (m.C.b) ... ok"], "ends too early"],
    [["a.", "words"], "ends too early"],
    [["a (m.C.a) ... ok", "Ran 1 test in 1s"], "ends too early"],
    [["a (m.C.a) ... ok", "Ran 1 test in 1s", "words"], "ends too early"],
    [
      ["setUpClass (m.C) ... skipped 'no'", "Ran 0 tests in 0.1s", "NO TESTS RAN (skipped=1)"],
      "skipped m.C/setUpClass",
    ],
    [["a (m.C.a) ... ", "  a (m.C.a) (i=1) ... skipped 'no'", "Ran 1 test in 1s", "OK (skipped=1)"], "skipped m.C/a"],
  ])("%j: %s", (lines, expected) => expect(outline(lines)).toBe(expected));

  it("is not believed where a skipped test printed what a passed one prints", () => {
    const ends = ["Ran 1 test in 1s", "OK (skipped=1)"];
    const said = "says that 1 tests were skipped or failed as expected and names 0";
    expect(outline(["a (m.C.a) ... x ok", "skipped 'no'", ...ends])).toBe(said);
    expect(outline(["a (m.C.a) ... ok", "  b (m.C.b) (i=1) ... skipped 'no'", "skipped 'no'", ...ends])).toBe(said);
  });
});
