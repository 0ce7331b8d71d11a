import { describe, expect, it } from "vitest";
import { closest } from "./closest.ts";

describe("closest", () => {
  it.each([
    ["statsu", "status"],
    ["RESUME", "resume"],
    ["resum", "resume"],
    ["xyzzy", null],
    ["", null],
  ])("takes %j for %j", (word, expected) => expect(closest(word, ["status", "resume", "cancel"])).toBe(expected));

  it("is nothing without candidates", () => expect(closest("a", [])).toBeNull());
});
