import { expect, it } from "vitest";
import { isObject } from "./is-object.ts";

it.each<[unknown, boolean]>([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ["{}", false],
])("says of %j that it is an object: %j", (value, expected) => expect(isObject(value)).toBe(expected));
