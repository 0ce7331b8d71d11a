import { describe, expect, it } from "vitest";
import { disguiseMarks } from "./disguise-marks.ts";

describe("a mark of a false expectation", () => {
  it.each([
    ["the capitals of an abbreviation", 'equal(a, "AL-falsified120")', /^equal\(a, "AL[G-Z]{5}"\)$/],
    ["small letters", "eq 'big-red-fox-falsified7'", /^eq 'big-red-fox[g-z]{5}'$/],
    ["digits", '[ "$a" = "3-falsified12" ]', /^\[ "\$a" = "3712" \]$/],
    ["a symbol", "assert_equal :ok_falsified9, a", /^assert_equal :ok_[g-z]{5}, a$/],
    ["nothing", 'toBe("falsified12")', /^toBe\("[g-z]{5}"\)$/],
    ["an escape", String.raw`"\x41-falsified3"`, /^"\\x41[g-z]{5}"$/],
  ])("looks like %s before it", (_, text, expected) => {
    expect(disguiseMarks(text)).toMatch(expected);
  });

  it("differs from place to place, and other words stay", () => {
    const [one = "", other = ""] = disguiseMarks('"a-falsified1" "a-falsified2"').split(" ");
    expect(one).not.toBe(other);
    expect(disguiseMarks("isFalsified, falsified")).toBe("isFalsified, falsified");
  });
});
