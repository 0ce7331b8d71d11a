import { expect, it } from "vitest";
import { fieldOf } from "./field-of.ts";

const throwing = {
  get id(): string {
    throw new Error("no");
  },
};

it.each<[unknown, unknown]>([
  [{ id: 1 }, 1],
  [new Error("x"), undefined],
  [[], undefined],
  [null, undefined],
  ["id", undefined],
  [throwing, undefined],
])("reads a field of row %# and never throws", (value, expected) => {
  expect(fieldOf(value, "id")).toBe(expected);
});
