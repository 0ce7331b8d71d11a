import { describe, expect, it } from "vitest";
import type { TestCase } from "../reports/test-case.ts";
import { compareCounts, findCountedGroups } from "./counted-groups.ts";

const test = (name: string, status: TestCase["status"] = "passed", file: string | null = "a.js"): TestCase => ({
  file,
  suite: "s",
  name,
  status,
});

describe("names that vary between runs of the base", () => {
  it("make their file one that is counted, by the fewest passed and the most failed", () => {
    const one = [test("port 1"), test("port 2"), test("b", "passed", "b.js")];
    const other = [test("port 3"), test("port 4", "failed"), test("b", "failed", "b.js")];
    expect(findCountedGroups([one, other])).toEqual([{ group: "a.js", passedMin: 1, failedMax: 1 }]);
  });

  it("are told by suite when the report names no files", () => {
    expect(findCountedGroups([[test("1", "passed", null)], [test("2", "passed", null)]])).toEqual([
      { group: "s", passedMin: 1, failedMax: 0 },
    ]);
  });

  it("are not seen in one run, in another order, or in a file that failed as a whole", () => {
    expect(findCountedGroups([[test("1"), test("2")]])).toEqual([]);
    expect(
      findCountedGroups([
        [test("1"), test("2")],
        [test("2"), test("1")],
      ]),
    ).toEqual([]);
    expect(findCountedGroups([[test("1")], [test("1"), { ...test("x", "failed"), isWhole: true }]])).toEqual([]);
  });

  it("are compared by number", () => {
    const groups = [{ group: "a.js", passedMin: 2, failedMax: 0 }];
    expect(compareCounts(groups, [test("5"), test("6")])).toEqual([]);
    expect(compareCounts(groups, [test("5"), test("6", "failed"), test("7", "passed", "b.js")])).toEqual([
      { kind: "fewer", group: "a.js", passedBase: 2, passedNow: 1 },
      { kind: "more-failed", group: "a.js", failedBase: 0, failedNow: 1 },
    ]);
  });
});
