import { expect, it } from "vitest";
import { parsedOrNull } from "./parsed-or-null.ts";

it.each([
  ['{"a": [1]}', { a: [1] }],
  ["null", null],
  ["", null],
  ['{"a": 1', null],
  ["prose", null],
])("gives the value of %j: %j", (text, expected) => expect(parsedOrNull(text)).toEqual(expected));
