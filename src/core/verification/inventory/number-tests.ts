import { testId, type TestCase, type TestStatus } from "../reports/test-case.ts";

/** A test with its identity. */
export type NumberedTest = TestCase & { id: string; ordinal: number };

/**
 * Gives every test its identity. Equal ones are numbered by how they ended, the best first: their order can differ from run to
 * run, and only how many of them passed can be compared.
 */
export function numberTests(tests: readonly TestCase[]): NumberedTest[] {
  const counts = new Map<string, number>();
  return tests
    .toSorted((one, other) => rank[one.status] - rank[other.status])
    .map((test) => {
      const key = testId(test, 0);
      const ordinal = counts.get(key) ?? 0;
      counts.set(key, ordinal + 1);
      return { ...test, id: ordinal === 0 ? key : testId(test, ordinal), ordinal };
    });
}

const rank: Record<TestStatus, number> = { passed: 0, failed: 1, skipped: 2 };
