import type { TestCase } from "../reports/test-case.ts";
import { numberTests } from "./number-tests.ts";
import { isTestIn } from "./test-place.ts";

/** One run of a check: what it was held to, what it ran on, and its tests. */
export type TestRun = { contract: string; candidate: string; tests: readonly TestCase[] };

/** Ids of tests that were red and green on the same contract and candidate: nothing that was verified made the difference. */
export function findFlaky(runs: readonly TestRun[]): Set<string> {
  const flaky = new Set<string>();
  for (const same of Map.groupBy(runs, ({ contract, candidate }) => JSON.stringify([contract, candidate])).values()) {
    const numbered = same.map(({ tests }) => numberTests(tests.filter(({ isWhole }) => isWhole !== true)));
    const idsOf = (status: TestCase["status"]): Set<string> =>
      new Set(numbered.flatMap((tests) => tests.filter((test) => test.status === status).map(({ id }) => id)));
    const red = idsOf("failed");
    for (const id of idsOf("passed")) if (red.has(id)) flaky.add(id);
  }
  return flaky;
}

/**
 * The tests of one base after several runs. What was red only sometimes counts as green: it does not turn with a candidate that happens
 * to run in a better moment.
 */
export function settleFlaky(
  tests: readonly TestCase[],
  runs: readonly (readonly TestCase[])[],
): { tests: TestCase[]; flaky: string[] } {
  const flaky = findFlaky(runs.map((each) => ({ contract: "", candidate: "", tests: each })));
  const settled = numberTests(tests).map(({ id, ordinal: _ordinal, ...test }): TestCase => {
    return flaky.has(id) ? { ...test, status: "passed" } : test;
  });
  return { tests: settled, flaky: [...flaky].toSorted() };
}

/** What is known when tests may be quarantined. `changed`: files that the candidate changed. */
export type QuarantineInput = { flaky: ReadonlySet<string>; base: readonly TestCase[]; changed: readonly string[] };

/** Flaky tests that may fail: those of the base that the candidate's files do not touch. */
export function quarantineOf({ flaky, base, changed }: QuarantineInput): Set<string> {
  const known = numberTests(base).filter(({ id }) => flaky.has(id));
  return new Set(known.filter((test) => !isTestIn(test, changed)).map(({ id }) => id));
}

/** Whether tests are red, and none but some that may fail. */
export function areRedOnlyIn(tests: readonly TestCase[], quarantined: ReadonlySet<string>): boolean {
  const red = numberTests(tests).filter(({ status }) => status === "failed");
  return red.length > 0 && red.every(({ id }) => quarantined.has(id));
}

/** Tests but for some, by their ids; null stays null. */
export function withoutTests(tests: readonly TestCase[] | null, ids: ReadonlySet<string>): TestCase[] | null {
  return tests === null ? null : numberTests(tests).filter(({ id }) => !ids.has(id));
}

/** Of tests that turned green, those that a repetition did not pass: each of them refuses the claim. */
export function findUnstable(turned: ReadonlySet<string>, repeats: readonly (readonly TestCase[])[]): string[] {
  const passed = repeats.map(
    (tests) =>
      new Set(
        numberTests(tests)
          .filter(({ status }) => status === "passed")
          .map(({ id }) => id),
      ),
  );
  return [...turned].filter((id) => passed.some((ids) => !ids.has(id)));
}
