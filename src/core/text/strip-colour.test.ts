import { describe, expect, it } from "vitest";
import { createColourFilter, stripColour } from "./strip-colour.ts";

describe("stripColour", () => {
  const rows: [string, string, string][] = [
    ["colours", "\u001b[1;32m<promise>\u001b[0mDONE\u001b[m</promise>", "<promise>DONE</promise>"],
    ["cursor and private codes", "a\u001b[2K\u001b[?25lb\u001b[>4;1mc", "abc"],
    ["a title ended by BEL", "\u001b]0;title <promise>DONE</promise>\u0007ok", "ok"],
    ["a link ended by ST", "\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\.", "link."],
    ["a device string", "a\u001bP1$r0m\u001b\\b", "ab"],
    ["short codes", "\u001b7\u001b(Bok\u001bM", "ok"],
    ["a title that nobody ends, up to the line's end (R-07)", "\u001b]0;title\nok", "\nok"],
    ["a title broken off by a colour", "\u001b]0;title\u001b[0mok", "ok"],
    ["a colour broken off by a line's end", "\u001b[3\nok", "\nok"],
    ["an escape at the end", "ok\u001b", "ok"],
    ["nothing of plain text", "äö 🎉 [0m ]0;x", "äö 🎉 [0m ]0;x"],
  ];

  it.each(rows)("removes %s", (_, text, expected) => expect(stripColour(text)).toBe(expected));

  it.each(rows)("removes %s, cut into single characters (R-06)", (_, text, expected) => {
    const filter = createColourFilter();
    const kept = text.split("").map((piece) => filter.text(piece));
    expect(kept.join("") + filter.end()).toBe(expected);
  });
});
