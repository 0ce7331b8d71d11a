import { expect, it } from "vitest";
import { thrownText } from "./thrown-text.ts";

it.each<[unknown, string]>([
  [new Error("no network"), "no network"],
  ["a word", "a word"],
  [null, "null"],
  [Object.create(null), "something that has no text"],
])("says what was thrown: row %#", (thrown, expected) => expect(thrownText(thrown)).toBe(expected));
