import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEchoFilter } from "./strip-echo.ts";
import { propertySeed } from "../../../tests/property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

function filter(prompt: string, chunks: string[]): string {
  const echo = createEchoFilter(prompt);
  return chunks.map((chunk) => echo.text(chunk)).join("") + echo.end();
}

const prompt = "Build it.\nThen print <promise>DONE</promise> on its own.\n";

describe("createEchoFilter (R-01)", () => {
  it.each([
    ["an echo", [prompt], "\n"],
    ["an echo without its last newline", [prompt.trim()], ""],
    ["an echo with other line ends", ["> ", prompt.replaceAll("\n", "\r\n"), "ok"], "> \nok"],
    ["every echo", [prompt, "work\n", prompt, prompt], "\nwork\n\n\n"],
    [
      "an echo that begins behind half an echo",
      ["Build it.\nBuild it.\nThen print <promise>DONE</promise> on its own."],
      "Build it.\n",
    ],
    ["an echo cut into characters", `a${prompt}b`.split(""), "a\nb"],
    [
      "a line end cut in two",
      ["Build it.\r", "\nThen print <promise>DONE</promise> on its own.\r", "\nok\r"],
      "\nok\n",
    ],
  ])("removes %s", (_, chunks, expected) => expect(filter(prompt, chunks)).toBe(expected));

  it.each([
    ["another text", ["I am done.\n<promise>DONE</promise>\n"]],
    ["half an echo at the end", ["ok\nBuild it.\nThen print <promise>DONE"]],
    ["an echo with one other character", [prompt.replace("own.", "own!")]],
    ["no text", [""]],
  ])("keeps %s", (_, chunks) => expect(filter(prompt, chunks)).toBe(chunks.join("")));

  it("keeps the echo of a prompt that has no tag, so that a short prompt tears no words", () => {
    expect(filter("DONE", ["<promise>DONE</promise>"])).toBe("<promise>DONE</promise>");
    expect(filter("", ["text"])).toBe("text");
  });

  it("finds what a search of the whole text finds, however the text is cut", () => {
    const parts = fc.constantFrom("<promise>", "a", "ab", "aab", "<pro", "\n");
    const chunks = fc.array(parts, { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b"), { maxLength: 4 }), chunks, (tail, pieces) => {
        const needle = `aa<promise>${tail.join("")}`;
        const text = pieces.flatMap((piece, index) =>
          index % 5 === 0 ? [piece, needle.slice(0, 12), needle] : [piece],
        );
        expect(filter(needle, text)).toBe(text.join("").replaceAll(needle, ""));
      }),
    );
  });

  it("takes a prompt of 200 KB that repeats itself, without going back", () => {
    const long = `${"ab".repeat(100_000)}<promise>DONE</promise>`;
    expect(filter(long, [...("ab".repeat(50_000).match(/.{1,777}/g) ?? []), long, "ok"])).toBe(
      `${"ab".repeat(50_000)}ok`,
    );
  });
});
