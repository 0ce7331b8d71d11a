import { describe, expect, it } from "vitest";
import { testId, type TestCase } from "../reports/test-case.ts";
import { areRedOnlyIn, findFlaky, findUnstable, quarantineOf, settleFlaky, withoutTests } from "./flaky-tests.ts";

const test = (name: string, status: TestCase["status"] = "passed", file = "a.js"): TestCase => ({
  file,
  suite: "",
  name,
  status,
});
const id = (name: string, file = "a.js"): string => testId({ file, suite: "", name }, 0);
const run = (tests: TestCase[], candidate = "c1", contract = "k"): Parameters<typeof findFlaky>[0][number] => ({
  contract,
  candidate,
  tests,
});

describe("a flaky test", () => {
  it("was red and green on the same contract and candidate", () => {
    expect([...findFlaky([run([test("a"), test("b")]), run([test("a", "failed"), test("b")])])]).toEqual([id("a")]);
  });

  it.each([
    ["another candidate", run([test("a", "failed")], "c2")],
    ["another contract", run([test("a", "failed")], "c1", "k2")],
    ["a run that skipped it", run([test("a", "skipped")])],
    ["a run without it", run([])],
    ["a file that failed as a whole", run([{ ...test("a", "failed"), isWhole: true }])],
  ])("is not shown by %s", (_, other) => expect([...findFlaky([run([test("a")]), other])]).toEqual([]));

  it("may fail, unless the candidate touches its file or it is not of the base", () => {
    const flaky = new Set([id("a"), id("b", "b.js"), id("new")]);
    const base = [test("a"), test("b", "passed", "b.js"), test("c")];
    expect([...quarantineOf({ flaky, base, changed: ["b.js"] })]).toEqual([id("a")]);
  });
});

describe("the tests of a base after several runs", () => {
  it("count as green where they were red only sometimes", () => {
    const first = [test("a", "failed"), test("b", "failed"), test("c")];
    const { tests, flaky } = settleFlaky(first, [first, [test("a"), test("b", "failed"), test("c")]]);
    expect(flaky).toEqual([id("a")]);
    expect(Object.fromEntries(tests.map(({ name, status }) => [name, status]))).toEqual({
      a: "passed",
      b: "failed",
      c: "passed",
    });
  });

  it("are red by chance where none is red but those that may be", () => {
    const quarantined = new Set([id("a")]);
    expect(areRedOnlyIn([test("a", "failed"), test("b")], quarantined)).toBe(true);
    expect(areRedOnlyIn([test("a", "failed"), test("b", "failed")], quarantined)).toBe(false);
    expect(areRedOnlyIn([test("a"), test("b")], quarantined)).toBe(false);
    expect(withoutTests([test("a"), test("b")], quarantined)?.map(({ name }) => name)).toEqual(["b"]);
  });
});

describe("a test that turned green", () => {
  it("must pass in every repetition", () => {
    const turned = new Set([id("a"), id("b")]);
    expect(
      findUnstable(turned, [
        [test("a"), test("b")],
        [test("a"), test("b")],
      ]),
    ).toEqual([]);
    expect(
      findUnstable(turned, [
        [test("a"), test("b")],
        [test("a"), test("b", "failed")],
      ]),
    ).toEqual([id("b")]);
    expect(findUnstable(turned, [[test("a"), test("b", "skipped")]])).toEqual([id("b")]);
    expect(findUnstable(turned, [[test("a")]])).toEqual([id("b")]);
  });
});
