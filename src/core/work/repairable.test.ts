import { expect, it } from "vitest";
import { RalphError, type RalphErrorCode } from "../ralph-error.ts";
import { repairableReason } from "./repairable.ts";

it.each<[RalphErrorCode, string | null]>([
  ["scm", "no branch Commit first."],
  ["locked", "no branch Commit first."],
  ["store", null],
  ["lost-lock", null],
  ["conflict", null],
])("of code %s ends a task alone, or the whole work run: %s", (code, reason) =>
  expect(repairableReason(new RalphError(code, "no branch", "Commit first."))).toBe(reason),
);

it("is never a fault of ours", () => expect(repairableReason(new Error("no"))).toBeNull());
