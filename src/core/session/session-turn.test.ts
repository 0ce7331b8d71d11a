import { expect, it } from "vitest";
import { turnBeganAt } from "./session-turn.ts";

it("a turn begins with its iteration, so that what was said before it does not count (R-04)", () => {
  const startedAt = "2026-11-15T12:00:00.000Z";
  const lastIterationAt = "2026-11-15T13:00:00.000Z";
  expect(turnBeganAt({ startedAt })).toBe(Date.parse(startedAt));
  expect(turnBeganAt({ startedAt, lastIterationAt })).toBe(Date.parse(lastIterationAt));
});
