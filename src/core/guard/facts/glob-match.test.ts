import { expect, it } from "vitest";
import { isGlobMatch } from "./glob-match.ts";

it.each([
  ["", "", true],
  ["", "*", true],
  ["a", "", false],
  ["/home/ada", "/*", true],
  ["/home/ada", "*/a?a", true],
  ["/home/ada", "*/a?", false],
  ["abcabd", "*ab?", true],
  ["abcabd", "a*b*d", true],
  ["abcabd", "a*c", false],
  ["a.b", "a.b", true],
  ["axb", "a.b", false],
])("%j matches %j: %s", (text, pattern, expected) => expect(isGlobMatch(text, pattern)).toBe(expected));

it("is not kept busy by many stars", () => expect(isGlobMatch("a".repeat(500), `${"*a".repeat(20)}b`)).toBe(false));
