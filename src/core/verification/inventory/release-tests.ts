import type { TestCase } from "../reports/test-case.ts";
import { isTestIn } from "./test-place.ts";

/** Takes the tests of files that the agent may change (`seal.allow`) out of the inventory; the candidate's own run decides them. */
export function releaseTests(
  base: readonly TestCase[],
  allowed: readonly string[],
): { kept: TestCase[]; released: TestCase[] } {
  const isReleased = (test: TestCase): boolean => isTestIn(test, allowed);
  return { kept: base.filter((test) => !isReleased(test)), released: base.filter(isReleased) };
}
