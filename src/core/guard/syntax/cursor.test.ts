import { expect, it } from "vitest";
import { fail, isAtEnd, looksAt, nested, openCursor, peek, take } from "./cursor.ts";

it("moves over the text, and stops for good at a failure (R-124)", () => {
  const cursor = openCursor("ab c", { stepsLeft: 100, depth: 0, failure: null });
  expect([peek(cursor), looksAt(cursor, "ab"), take(cursor, /\w+/y), take(cursor, /\w+/y)]).toEqual([
    "a",
    true,
    "ab",
    null,
  ]);
  fail(cursor, "first");
  fail(cursor, "second");
  expect([isAtEnd(cursor), cursor.budget.failure]).toEqual([true, "first"]);
});

it("fails when steps or levels are used up (R-124)", () => {
  const slow = openCursor("abc", { stepsLeft: 1, depth: 0, failure: null });
  expect([isAtEnd(slow), isAtEnd(slow)]).toEqual([false, true]);
  const deep = openCursor("abc", { stepsLeft: 9, depth: 40, failure: null });
  expect(nested(deep, () => "read", "instead")).toBe("instead");
  expect(deep.budget.failure).toBe("it is nested too deeply");
});
