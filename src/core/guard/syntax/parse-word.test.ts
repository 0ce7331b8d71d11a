import { expect, it } from "vitest";
import { openCursor } from "./cursor.ts";
import { parseHeredocBody, parseWord } from "./parse-word.ts";

const budget = (): { stepsLeft: number; depth: number; failure: null } => ({
  stepsLeft: 1000,
  depth: 0,
  failure: null,
});

it("ends a word at white space and keeps what was quoted apart (R-121)", () => {
  const cursor = openCursor(`a'b c'"d" e`, budget());
  expect(parseWord(cursor, () => [])).toEqual([
    { type: "text", text: "a", isQuoted: false },
    { type: "text", text: "b c", isQuoted: true },
    { type: "text", text: "", isQuoted: true },
    { type: "text", text: "d", isQuoted: true },
  ]);
  expect(cursor.at).toBe(9);
});

it("knows only expansions in the body of a heredoc, no quotes (R-122)", () => {
  const body = parseHeredocBody(openCursor(`it's "x" $y\n`, budget()), () => []);
  expect(body.map((part) => part.type)).toEqual(["text", "text", "text", "text", "text", "parameter", "text"]);
});
