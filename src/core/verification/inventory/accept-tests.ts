import type { TestCase } from "../reports/test-case.ts";
import { isTestIn } from "./test-place.ts";

/** The tests of a base of which people accepted other files: those of the files as they stand now, all others as they stood. */
export function acceptTests(
  former: readonly TestCase[],
  now: readonly TestCase[],
  paths: readonly string[],
): TestCase[] {
  const isAccepted = (test: TestCase): boolean => isTestIn(test, paths);
  return [...former.filter((test) => !isAccepted(test)), ...now.filter(isAccepted)];
}
