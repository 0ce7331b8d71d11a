import type { Comparison } from "./compare-tests.ts";
import type { NumberedTest } from "./number-tests.ts";
import type { Refusal } from "./refusal.ts";
import { isTestIn } from "./test-place.ts";

/** What a dispute is judged by. `changed`: protected test files that the candidate changed. */
export type DisputeInput = { a: Comparison; isGreenB: boolean; changed: readonly string[] };

/**
 * The tests in dispute: the base's form of them is red, the candidate's own form is green, and nothing else is red. Null: there
 * is no dispute, and what is red is simply refused.
 */
export function disputeOf({ a, isGreenB, changed }: DisputeInput): NumberedTest[] | null {
  if (!isGreenB || changed.length === 0) return null;
  const tests = [...a.failed, ...a.missing, ...a.skipped, ...a.stillFailed];
  const isElsewhere = a.refusals.some((refusal) => isOther(refusal.kind) && !isOfChanged(refusal, changed));
  if (tests.length === 0 || isElsewhere) return null;
  return tests.every((test) => isTestIn(test, changed)) ? tests : null;
}

/** Fewer passed tests follow from the red ones; an empty report says nothing about single files. */
function isOther(kind: Refusal["kind"]): boolean {
  return kind === "empty" || kind === "more-failed" || kind === "fewer";
}

function isOfChanged(refusal: Refusal, changed: readonly string[]): boolean {
  if (refusal.kind === "fewer" && refusal.group === null) return true;
  return (refusal.kind === "fewer" || refusal.kind === "more-failed") && changed.includes(refusal.group ?? "");
}
