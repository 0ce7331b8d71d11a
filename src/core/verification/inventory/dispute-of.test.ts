import { describe, expect, it } from "vitest";
import type { TestCase } from "../reports/test-case.ts";
import { compareTests, type Comparison } from "./compare-tests.ts";
import { disputeOf } from "./dispute-of.ts";

const test = (file: string, name: string, status: TestCase["status"] = "passed"): TestCase => ({
  file,
  suite: "",
  name,
  status,
});
const compare = (now: TestCase[]): Comparison =>
  compareTests({
    base: [test("a.js", "a"), test("b.js", "b")],
    now,
    rule: "keep",
    quarantined: new Set(),
    counted: [],
  });

describe("a dispute", () => {
  const namesOf = (now: TestCase[], isGreenB: boolean, changed: string[]): string[] | null =>
    disputeOf({ a: compare(now), isGreenB, changed })?.map(({ name }) => name) ?? null;
  const red = [test("a.js", "a", "failed"), test("b.js", "b")];

  it("is about tests that only their old form fails", () => expect(namesOf(red, true, ["a.js"])).toEqual(["a"]));

  it("is none when the candidate's own tests are red", () => expect(namesOf(red, false, ["a.js"])).toBeNull());

  it("is none when a test is red whose file was not changed", () => {
    expect(namesOf(red, true, ["b.js"])).toBeNull();
    expect(namesOf([test("a.js", "a", "failed"), test("b.js", "b", "failed")], true, ["a.js"])).toBeNull();
    expect(namesOf([...red, test("c.js", "new", "failed")], true, ["a.js"])).toBeNull();
  });

  it("is none when nothing is refused or no protected test was changed", () => {
    expect(namesOf([test("a.js", "a"), test("b.js", "b")], true, ["a.js"])).toBeNull();
    expect(namesOf(red, true, [])).toBeNull();
  });

  it("is about tests that do not run any more, too, because their file cannot be loaded", () => {
    const broken: TestCase = { ...test("a.js", "a.js", "failed"), isWhole: true };
    expect(namesOf([broken, test("b.js", "b")], true, ["a.js"])).toEqual(["a.js", "a"]);
  });

  it("is none when no test ran at all", () => expect(namesOf([], true, ["a.js", "b.js"])).toBeNull());
});
