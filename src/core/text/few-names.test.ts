import { expect, it } from "vitest";
import { fewNames } from "./few-names.ts";

it.each([
  [["a"], "a"],
  [["a", "b", "c", "d", "e"], "a, b, c, d, e"],
  [["a", "b", "c", "d", "e", "f", "g"], "a, b, c, d, e and 2 more"],
])("names the first of %j: %s", (names, expected) => expect(fewNames(names)).toBe(expected));
