import { expect, it } from "vitest";
import { jsonLine, jsonText } from "./json-text.ts";

it.each(["\u007F", "\u0085", "\u009B2J", "\u2028", "\u202Egnp", "\u2066", "a\u200Bb", "\uFEFF", "\u{E0069}"])(
  "escapes what a terminal obeys and a reader of JSON does not notice: %j (S1-74)",
  (text) => {
    const line = jsonLine({ text });
    expect(line).toMatch(/^[\u0020-\u007E]*\n$/);
    expect(JSON.parse(line)).toEqual({ text });
  },
);

it("keeps the lines of indented JSON", () => {
  expect(jsonText({ a: "\u009B" }, 2)).toBe('{\n  "a": "\\u009b"\n}');
});
