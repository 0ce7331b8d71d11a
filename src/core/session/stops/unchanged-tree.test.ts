import { describe, expect, it } from "vitest";
import { believedVerdict, redVerdict } from "../read-verdicts.ts";
import { areAllPassed, isSameTree, isSettled, unsettled } from "./unchanged-tree.ts";

const look = (files: Record<string, string>): Map<string, string> => new Map(Object.entries(files));

describe("checks that change the tree they are to judge", () => {
  it("count at once when no file differs, else all of them run once more", () => {
    const began = look({ "": "head", a: "1" });
    expect(isSameTree(began, look({ "": "head", a: "1" }))).toBe(true);
    for (const ended of [
      { "": "head", a: "2" },
      { "": "head" },
      { "": "head", a: "1", b: "1" },
      { "": "other", a: "1" },
    ])
      expect(isSameTree(began, look(ended))).toBe(false);
  });

  it("are not looked at again when one is red: it counts whatever the tree is now", () => {
    expect(areAllPassed([believedVerdict])).toBe(true);
    expect(areAllPassed([believedVerdict, redVerdict("red")])).toBe(false);
  });

  it("count after the second run only when the content stayed the same, in a repository", () => {
    expect(isSettled({ before: "a", after: "a", isRepository: true })).toBe(true);
    expect(isSettled({ before: "a", after: "b", isRepository: true })).toBe(false);
    expect(isSettled({ before: "a", after: "a", isRepository: false })).toBe(false);
  });

  it("are refused by name when the tree keeps changing", () => {
    const [first, last] = unsettled([believedVerdict], { before: look({ a: "1" }), after: look({ a: "2" }) });
    expect(first).toBe(believedVerdict);
    expect(last).toMatchObject({ isPassed: false, index: 1, name: "unchanged files" });
    expect(last?.reason).toContain("a");
    const nameless = unsettled([], { before: look({ "": "1" }), after: look({ "": "2" }) });
    expect(nameless[0]?.reason).toContain("the repository");
  });
});
