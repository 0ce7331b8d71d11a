import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../tests/property-seed.ts";
import { cleanBlock, cleanLine, cleanLines, cleanMessage, cleanOutput, cleanOutputs, cleanText } from "./clean-text.ts";

fc.configureGlobal({ seed: propertySeed });

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
    [
      "cannot hide characters between others",
      "pass\u200Bword a\u2060b\uFEFF c\u200Dd e\u200Cf g\u00ADh",
      "password ab cd ef gh",
    ],
    ["cannot carry a text that nobody sees", "a\u{E0069}\u{E0067}b", "ab"],
    ["cannot make a link out of words", "\u001B]8;;http://example.invalid\u0007docs\u001B]8;;\u0007", "docs"],
    ["cannot send a device a string", "a\u001BP+q544e\u001B\\b\u001B_x\u001B\\c", "abc"],
    ["cannot write over its own line", "100%\rok", "100%\nok"],
    ["has the line ends of this place", "a\r\nb\u2028c\r\n", "a\nb\nc\n"],
    ["keeps emoji that are joined, and letters of all languages", "👨‍👩‍👧 नमस्ते e\u0301", "👨‍👩‍👧 नमस्ते e\u0301"],
    ["keeps what parts and joins letters where a script needs it", "می\u200Cخواهم क्\u200Dष", "می\u200Cخواهم क्\u200Dष"],
  ])("%s (S1-74)", (_, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it("loses every control character, also one that stands alone among plain letters (S1-74)", () => {
    for (let code = 0; code < 0x00a0; code += 1) {
      const character = String.fromCodePoint(code);
      const isKept = character === "\n" || character === "\t" || (code >= 0x20 && code < 0x7f);
      expect(cleanText(`a…${character}`)).toBe(isKept ? `a…${character}` : "a…");
    }
  });

  it("stays on its line inside a line of ralph (S1-74)", () => {
    expect(cleanLine("failed\ncompleted: \u001B[32mall\tgood\n")).toBe("failed completed: all good");
  });

  it("cannot begin a line of ralph, whatever is said around it (S1-74)", () => {
    const forged = "a\nralph: forged\r\nralph: too\u2028ralph: as well";
    expect(cleanLines(["Run 1", `  note: ${forged}`])).toBe(
      "Run 1\n  note: a ralph: forged ralph: too ralph: as well\n",
    );
    expect(cleanMessage(forged)).toBe("a\n  ralph: forged\n  ralph: too\n  ralph: as well");
    expect(cleanBlock(`${forged}\n`, "| ")).toBe("| a\n| ralph: forged\n| ralph: too\n| ralph: as well");
  });
});

describe("output of ralph", () => {
  it.each([
    [
      "keeps its own colours",
      "\u001B[1m\u001B[31mred\u001B[39m\u001B[22m\n",
      "\u001B[1m\u001B[31mred\u001B[39m\u001B[22m\n",
    ],
    ["has no colour that hides", "\u001B[8mhidden\u001B[30;40m", "hidden"],
    ["obeys nothing else", "\u001B[2J\u001B[31ma\u001B]52;c;aGk=\u0007\u009Bb\r\n", "\u001B[31mab\n"],
    ["stays as it is without codes", "plain\ttext\n", "plain\ttext\n"],
  ])("%s (S1-74)", (_, text, expected) => {
    expect(cleanOutput(text)).toBe(expected);
  });

  it("is in pieces what its pieces are, each by itself, so that an open code of one hides no other (S1-74)", () => {
    expect(cleanOutputs(["a\u001B]0;", "ralph: done\n"])).toBe("aralph: done\n");
    const piece = fc.array(
      fc.constantFrom("word ", "\n", "\r", "\u001B[31m", "\u001B]0;", "\u0007", "\u202E", "🎉", "2J"),
      {
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(fc.array(piece.map((parts) => parts.join(""))), (pieces) => {
        expect(cleanOutputs(pieces)).toBe(pieces.map(cleanOutput).join(""));
      }),
    );
  });
});
