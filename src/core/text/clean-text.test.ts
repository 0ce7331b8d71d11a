import { describe, expect, it } from "vitest";
import { cleanLine, cleanText } from "./clean-text.ts";

describe("text of an agent", () => {
  it.each([
    ["keeps its lines and tabs", "a\tb\nc\n", "a\tb\nc\n"],
    ["cannot clear the screen or move the cursor", "a\u001B[2J\u001B[1;1Hb", "ab"],
    ["cannot colour what follows", "\u001B[31mred", "red"],
    ["cannot set the title or the clipboard", "\u001B]0;owned\u0007a\u001B]52;c;aGk=\u001B\\b", "ab"],
    ["cannot hide a code behind a broken one", "\u001B[\u001B[2Ja", "a"],
    ["cannot use the codes of one byte", "a\u009B2Jb", "a2Jb"],
    ["cannot ring, go back or delete", "a\u0007\b\u007Fb", "ab"],
    ["cannot turn the direction of writing around", "\u202Egnp.exe\u2066", "gnp.exe"],
    ["cannot write over its own line", "100%\rok", "100%\nok"],
    ["has the line ends of this place", "a\r\nb\u2028c\r\n", "a\nb\nc\n"],
    ["keeps emoji that are joined, and letters of all languages", "👨‍👩‍👧 नमस्ते e\u0301", "👨‍👩‍👧 नमस्ते e\u0301"],
  ])("%s (S1-74)", (_, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it("stays on its line inside a line of ralph (S1-74)", () => {
    expect(cleanLine("failed\ncompleted: \u001B[32mall\tgood\n")).toBe("failed completed: all good");
  });
});
