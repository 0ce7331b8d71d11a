import type { TestSummary, Verdict } from "../verdict.ts";

/** What people read about where a check ran and what its tests showed; empty for a check in the agent's tree. */
export function sealedWords({ isSealed, tests }: Pick<Verdict, "isSealed" | "tests">): string[] {
  if (isSealed !== true) return [];
  return ["sealed", tests === undefined ? "evidence: exit code (weak)" : testWords(tests)];
}

/** How the tests fared, in numbers; those that are zero say nothing. */
export function testWords({ passed, failed, skipped, missing, added, allowed = [], flaky = [] }: TestSummary): string {
  const rest = Object.entries({ failed, skipped, missing, new: added }).filter(([, count]) => count > 0);
  return [
    `${passed} ${passed === 1 ? "test" : "tests"} passed`,
    ...rest.map(([word, count]) => `${count} ${word}`),
    ...(allowed.length === 0 ? [] : [`free to change: ${allowed.join("; ")}`]),
    ...(flaky.length === 0 ? [] : [`flaky, may fail: ${flaky.join("; ")}`]),
  ].join(", ");
}
