import { describe, expect, it } from "vitest";
import { readGo } from "./go-report.ts";

/** `run a` is an event of the test a, `pass` one of the package; other lines are taken as they are. */
function outline(lines: readonly string[]): string {
  const text = lines.map((line) => {
    const [, action, test] = /^(run|pass|fail|skip|build-fail|start)(?: (\S+))?$/.exec(line) ?? [];
    if (action !== undefined)
      return JSON.stringify({ Action: action, Package: "p", ...(test === undefined ? {} : { Test: test }) });
    return line.startsWith("print ") ? JSON.stringify({ Action: "output", Package: "p", Output: line.slice(6) }) : line;
  });
  const content = readGo(text.join("\n"));
  if (!content.isReadable) return content.problem;
  return content.tests
    .map(({ status, name, isWhole }) => (isWhole === true ? "whole" : `${status} ${name}`))
    .join(", ");
}

describe("the events of go test", () => {
  it.each([
    [["run a", "pass a", "pass"], "passed a"],
    [["run a", "skip a", "pass"], "skipped a"],
    [["run a", "fail a", "fail"], "failed a"],
    [["run a", "run a/b", "pass a/b", "pass a", "pass"], "passed a, passed a/b"],
    [["run a", "pass a", "run a", "fail a", "fail"], "passed a, failed a"],
    [["run a", "pass a", "fail"], "passed a, whole"],
    [["run a", "pass a"], "passed a, whole"],
    [["run a", "fail"], "failed a, whole"],
    [["pass forged", "pass"], ""],
    [["run a", "pass forged", "pass a", "pass"], "passed a"],
    [["run a", "print text--- PASS: a (0.00s)", "pass"], "passed a"],
    [["run a", "print text--- PASS: a (0.00s)", "fail"], "failed a, whole"],
    [["run a", "print text--- PASS: b (0.00s)", "pass"], "failed a"],
    [["run a", "print --- PASS: a (0.00s)", "pass"], "failed a"],
    [["start", "skip"], ""],
    [["start", "FAIL\tq [build failed]", "pass"], "whole"],
    [["build-fail"], "whole"],
    [["words", '{"Action":"run"', '{"Action":7}', "pass"], ""],
    [["words"], "has no event of go test"],
    [[""], "has no event of go test"],
  ])("%j: %s", (lines, expected) => expect(outline(lines)).toBe(expected));
});
