import { describe, expect, it } from "vitest";
import { escapeDashLines, findDashLine, isDashLine, unescapeDashLines } from "./dash-line.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a line of three dashes", () => {
  it.each([
    ["---\n", { start: 0, end: 4 }],
    ["a\n--- \t\r\nb", { start: 2, end: 9 }],
    ["---", null],
    ["----\n --- \n-- -\na---\n", null],
    ["", null],
  ])("is found in row %#", (text, found) => {
    expect(findDashLine(bytesOf(text), 0)).toEqual(found);
  });

  it("needs all three", () => {
    expect(isDashLine(bytesOf("--"), 0, 2)).toBe(false);
    expect(isDashLine(bytesOf("---"), 0, 3)).toBe(true);
  });

  it.each(["---", "a\n---\nb", "--- \r\n\\---\n\\\\---", "\r---\r\n", "x\u2028---\u2028y", "\\", "--- \r \n"])(
    "is gone when escaped and comes back exactly in row %#",
    (body) => {
      const escaped = escapeDashLines(body);
      expect(findDashLine(bytesOf(`${escaped}\n`), 0)).toBeNull();
      expect(unescapeDashLines(escaped)).toBe(body);
    },
  );
});
