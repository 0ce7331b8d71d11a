import { describe, expect, it } from "vitest";
import { type IgnoredPath, isMadeByTools, isWorthKeeping, judgeIgnored } from "./ignored-files.ts";

const path: IgnoredPath = { path: "helper/", isRuleDelivered: false, isRuleFormer: false, isOfTool: false };

describe("a path that git ignores", () => {
  it.each([
    ["by a rule that was there before", { isRuleFormer: true }, "usual"],
    ["by a rule that the candidate holds", { isRuleDelivered: true }, "named"],
    ["by a tool that made the folder", { isOfTool: true }, "named"],
    ["by a rule that no commit holds", {}, "missed"],
  ] as const)("%s", (_, facts, kind) => {
    expect(judgeIgnored({ ...path, ...facts })).toBe(kind);
  });

  it("is kept with its work tree unless it was ignored before or a tool makes it again", () => {
    expect(isWorthKeeping(path)).toBe(true);
    expect(isWorthKeeping({ ...path, isRuleDelivered: true })).toBe(true);
    expect(isWorthKeeping({ ...path, isRuleFormer: true })).toBe(false);
    expect(isWorthKeeping({ ...path, isOfTool: true })).toBe(false);
  });

  it("is made by tools when one of its folders has such a name", () => {
    expect(["a/node_modules/", "a.egg-info/x", "target/"].map(isMadeByTools)).toEqual([true, true, true]);
    expect(["helper/", "targets/x", "src/a.ts"].map(isMadeByTools)).toEqual([false, false, false]);
  });
});
