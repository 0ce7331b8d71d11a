import { expect, it } from "vitest";
import { decodeAnsi } from "./decode-ansi.ts";

it.each([
  [String.raw`\x72\x6d`, "rm"],
  [String.raw`\162\155`, "rm"],
  [String.raw`\u0072m\U0000006d`, "rmm"],
  [String.raw`a\tb\n\\\'`, "a\tb\n\\'"],
  [String.raw`\cA\q`, "\u0001\\q"],
  [String.raw`\UFFFFFFFF`, String.raw`\UFFFFFFFF`],
])("spells out %j (R-121)", (text, expected) => {
  expect(decodeAnsi(text)).toBe(expected);
});
