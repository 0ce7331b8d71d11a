import { describe, expect, it } from "vitest";
import { isFileLike, isHook, testId, unreadable, wholeFailure } from "./test-case.ts";

describe("the identity of a test", () => {
  it("has its file, suite, name and number, and no two tests share one", () => {
    const test = { file: "a.js", suite: "b", name: "c" };
    expect(testId(test, 0)).toBe('["a.js","b","c",0]');
    const others = [
      { ...test, file: null },
      { ...test, suite: 'b","c' },
      { ...test, name: "c ", suite: "b" },
      { file: "a.js", suite: "", name: 'b","c' },
    ];
    expect(new Set([testId(test, 0), testId(test, 1), ...others.map((each) => testId(each, 0))]).size).toBe(6);
  });
});

describe("a name in a report", () => {
  it.each([
    ["test/basic.test.js", true],
    ["basic.spec.tsx", true],
    ["tests/test_basic.py", true],
    ["tests.test_basic", false],
    ["x.BasicTest", false],
    ["tests.py", false],
    ["outer suite", false],
    ["test", false],
  ])("%s is the path of a file: %s", (name, expected) => expect(isFileLike(name)).toBe(expected));

  it.each([
    ['"before all" hook for "adds"', true],
    ['"after each" hook in "sums"', true],
    ["hook", false],
    ['sums "before all" hook for "adds"', true],
    ['"before all" hooks run', false],
  ])("%s is a hook: %s", (name, expected) => expect(isHook(name)).toBe(expected));
});

it("a failure of more than one test is marked as such", () => {
  expect(wholeFailure({ file: "a.js", suite: "", name: "a.js" })).toEqual({
    file: "a.js",
    suite: "",
    name: "a.js",
    status: "failed",
    isWhole: true,
  });
  expect(unreadable("ends too early")).toEqual({ isReadable: false, problem: "ends too early" });
});
