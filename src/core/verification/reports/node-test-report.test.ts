import { describe, expect, it } from "vitest";
import { readNodeTest } from "./node-test-report.ts";

const junit = '<testsuites>\n<testcase name="a" classname="test" file="/p/a.test.js"/>\n</testsuites>\n';
const tap = "TAP version 13\nok 1 - a\n1..1\n";
const passed = { file: null, suite: "", name: "a", status: "passed" };

describe("a report of node:test", () => {
  it("may be its JUnit report, its TAP, or both", () => {
    expect(readNodeTest(junit)).toEqual({ isReadable: true, tests: [{ ...passed, file: "/p/a.test.js" }] });
    expect(readNodeTest(tap)).toEqual({ isReadable: true, tests: [passed] });
    expect(readNodeTest(junit + tap)).toEqual({ isReadable: true, tests: [{ ...passed, file: "/p/a.test.js" }] });
  });

  it("has a test that failed beside its subtests only in its TAP", () => {
    const suite = "<testsuites><testsuite name='p'><testcase name='a' classname='test'/></testsuite></testsuites>\n";
    const nested = "TAP version 13\n    ok 1 - a\n    1..1\nnot ok 1 - p\n1..1\n";
    expect(readNodeTest(suite + nested)).toEqual({
      isReadable: true,
      tests: [
        { ...passed, suite: "p" },
        { file: null, suite: "", name: "p", status: "failed", isWhole: true },
      ],
    });
  });

  it.each([
    ["another status", junit + tap.replace("ok 1", "not ok 1")],
    ["one test more in the TAP", junit + tap.replace("1..1", "ok 2 - b\n1..2")],
    ["one test less in the TAP", `${junit.replace("</testsuites>", "<testcase name='b'/></testsuites>")}${tap}`],
  ])("is not readable when its two parts disagree: %s", (_, text) => {
    expect(readNodeTest(text)).toEqual({ isReadable: false, problem: "and its TAP disagree" });
  });

  it("is not readable when one of its parts is not", () => {
    expect(readNodeTest(`<testsuites>\n${tap}`)).toEqual({ isReadable: false, problem: "ends too early" });
    expect(readNodeTest(`${junit}TAP version 13\nok 1 - a\n`)).toEqual({
      isReadable: false,
      problem: "ends too early",
    });
  });
});
