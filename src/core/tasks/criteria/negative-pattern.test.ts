import { describe, expect, it } from "vitest";
import { isPatternIn, readNegativePattern, writeNegativePattern } from "./negative-pattern.ts";

describe("a negative pattern", () => {
  const check = (given: unknown, text: string, isFound: boolean): void => {
    const pattern = readNegativePattern(given);
    if ("problem" in pattern) throw new Error(pattern.problem);
    expect(isPatternIn(pattern, text)).toBe(isFound);
    expect(readNegativePattern(writeNegativePattern(pattern))).toEqual(pattern);
  };

  it.each([
    ["hardcoded", "It is HardCoded.", true],
    ["hardcoded", "It is hard coded.", false],
    ["a.c", "abc", false],
    ["/a.c/", "abc", true],
    ["/a.c/", "ABC", false],
    ["/a.c/i", "ABC", true],
    ["/^x$/gm", "a\nx\nb", true],
    [{ pattern: "x", scope: "files" }, "X", true],
    ["/usr", "in /usr/bin", true],
  ])("%j in %j: %s (S2-23, CW-2N)", (given, text, isFound) => check(given, text, isFound));

  it("is refused when it is no text, no expression or of an unknown scope (CW-2N)", () => {
    for (const given of [3, "", "/(/", "/a/q", { pattern: "x", scope: "mind" }, "x".repeat(501)])
      expect(readNegativePattern(given)).toHaveProperty("problem");
  });
});
