import { describe, expect, it } from "vitest";
import { readJunit } from "./junit-report.ts";

/** The status of one test with these elements in it. */
function statusWith(inside: string, attributes = ""): string {
  const content = readJunit(`<testsuite name="s"><testcase name="n" ${attributes}>${inside}</testcase></testsuite>`);
  if (!content.isReadable) return content.problem;
  return content.tests
    .map(({ status, isRetried, isWhole }) => [status, isRetried, isWhole].filter(Boolean).join(" "))
    .join(",");
}

describe("a test in a JUnit report", () => {
  const check = (inside: string, expected: string): void => expect(statusWith(inside)).toBe(expected);

  it.each([
    ["", "passed"],
    ["<system-out><failure/></system-out>", "passed"],
    ["<failure/>", "failed"],
    ["<error/>", "failed"],
    ["<skipped/>", "skipped"],
    ["<skipped/><failure/>", "failed"],
    ["<skipped type='todo'/><failure/>", "skipped"],
    ["<skipped type='todo'/>", "skipped"],
    ["<skipped type='pytest.xfail'/>", "skipped"],
    ["<failure message='[XPASS(strict)] '/>", "failed"],
    ["<flakyFailure/><flakyError/>", "passed true"],
    ["<failure/><rerunFailure/>", "failed"],
    ["<failure/><flakyFailure/>", "failed"],
    ["<testcase name='inner'/>", "passed"],
  ])("with %j inside is %s", (inside, expected) => check(inside, expected));

  it.each([
    ["status='notrun'", "skipped"],
    ["status='run' result='suppressed'", "skipped"],
    ["status='run' result='completed'", "passed"],
  ])("of GoogleTest with %s is %s", (attributes, expected) => expect(statusWith("", attributes)).toBe(expected));

  it.each([
    ["<testsuite name='s' file='a.py'><testcase name='n'/></testsuite>", ["a.py", "s"]],
    ["<testsuite name='s' file='a.py'><testcase name='n' file='b.py'/></testsuite>", ["b.py", "s"]],
    ["<testsuite name='s'><testcase name='n' classname='C'/></testsuite>", [null, "C"]],
    [
      "<testsuites><testsuite name='s'><testsuite name='t'><testcase name='n' classname='s.t'/></testsuite></testsuite></testsuites>",
      [null, "s > t"],
    ],
    ["<testsuite name='a/b.test.ts'><testcase name='n' classname='a/b.test.ts'/></testsuite>", ["a/b.test.ts", ""]],
    ["<testsuite name='p'><testcase name='n' classname='n'/></testsuite>", [null, "p"]],
    ["<testsuites><testcase name='n' classname='test'/></testsuites>", [null, ""]],
  ])("%s is of file and suite %j", (text, [file, suite]) => {
    expect(readJunit(text)).toEqual({ isReadable: true, tests: [{ file, suite, name: "n", status: "passed" }] });
  });

  it("with a nested test of the same kind is one test, so a forged one inside of it counts for nothing", () => {
    const text = "<testsuite name='s'><testcase name='a'><testcase name='b'/><failure/></testcase></testsuite>";
    expect(readJunit(text)).toEqual({
      isReadable: true,
      tests: [{ file: null, suite: "s", name: "a", status: "failed" }],
    });
  });
});

describe("a JUnit report", () => {
  it.each([
    ["<html/>", "begins with <html>"],
    ["<testsuites><testcase name='a'/>", "ends too early"],
    ["<testsuites><testcase name='a'/></testsuites><testsuites/>", "has more than one root element"],
    ["", "ends too early"],
    ["not xml", "has text outside of its elements"],
  ])("%j is not readable: it %s", (text, problem) => expect(readJunit(text)).toEqual({ isReadable: false, problem }));

  it("without tests is readable and empty", () =>
    expect(readJunit("<testsuites/>")).toEqual({ isReadable: true, tests: [] }));

  it("names a suite that failed as a whole", () => {
    expect(readJunit("<testsuite name='s'><error/><testcase name='n'/></testsuite>")).toEqual({
      isReadable: true,
      tests: [
        { file: null, suite: "s", name: "", status: "failed", isWhole: true },
        { file: null, suite: "s", name: "n", status: "passed" },
      ],
    });
  });
});
