import { describe, expect, it } from "vitest";
import { wrapWords } from "./wrap-words.ts";

describe("a line in a terminal", () => {
  it.each([
    ["stays whole where it fits", "  turn ended (cost: $1)", 23, ["  turn ended (cost: $1)"]],
    ["is broken between words, the rest indented", "  turn ended (cost: $10)", 22, ["  turn ended (cost:", "    $10)"]],
    ["leaves a longer word whole", `see ${"x".repeat(30)} now`, 20, ["see", `  ${"x".repeat(30)}`, "  now"]],
    ["counts cells, not letters", "漢字漢字漢字 漢字漢字漢字", 20, ["漢字漢字漢字", "  漢字漢字漢字"]],
    ["is not broken in a pipe", "word ".repeat(30), null, ["word ".repeat(30)]],
    ["is not broken where nothing would fit", "one two three four", 5, ["one two three four"]],
  ])("%s", (_, text, width, expected) => expect(wrapWords(text, width)).toEqual(expected));
});
