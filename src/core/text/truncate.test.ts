import { describe, expect, it } from "vitest";
import { truncateText } from "./truncate.ts";

describe("truncateText", () => {
  it.each<[string, Parameters<typeof truncateText>, string]>([
    ["keeps the first characters (S1-56)", ["abcdef", 4, "head"], "abcd... [truncated]"],
    ["keeps the last characters (CW-1L)", ["abcdef", 4, "tail"], "... [truncated]\ncdef"],
    ["keeps both ends (CW-1L)", ["abcdefgh", 4, "both"], "ab... [truncated]\ngh"],
    ["gives the odd character to the head", ["abcdefgh", 3, "both"], "ab... [truncated]\nh"],
    ["leaves a text that fits", ["abcd", 4, "head"], "abcd"],
    ["leaves an empty text", ["", 4, "tail"], ""],
    ["counts code points, not halves (R-64)", ["🎉🎉🎉🎉", 4, "head"], "🎉🎉🎉🎉"],
    ["does not cut a pair at the head (R-64)", ["a🎉🎉b", 2, "head"], "a🎉... [truncated]"],
    ["does not cut a pair at the tail (R-64)", ["a🎉🎉b", 2, "tail"], "... [truncated]\n🎉b"],
    ["does not cut a pair at either end (R-64)", ["🎉🎉🎉🎉", 2, "both"], "🎉... [truncated]\n🎉"],
    ["takes half a pair for one character", ["\udf89\ud83cab", 2, "head"], "\udf89\ud83c... [truncated]"],
    ["takes half a pair at the tail for one character", ["ab\udf89\udf89", 2, "tail"], "... [truncated]\n\udf89\udf89"],
  ])("%s", (_, given, expected) => expect(truncateText(...given)).toBe(expected));

  it("keeps the asked number of characters of 10 MB (R-64)", () => {
    const text = "x\n".repeat(5_000_000);
    expect(truncateText(text, 5000, "head")).toBe(`${text.slice(0, 5000)}... [truncated]`);
    expect(truncateText(text, 5000, "tail")).toBe(`... [truncated]\n${text.slice(-5000)}`);
  });
});
