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

/** What is known when tests may be quarantined. `changed`: files that the candidate changed. */
export type QuarantineInput = { flaky: ReadonlySet<string>; base: readonly TestCase[]; changed: readonly string[] };

/** Flaky tests that may fail: those of the base that the candidate's files do not touch. */
export function quarantineOf({ flaky, base, changed }: QuarantineInput): Set<string> {
  const known = numberTests(base).filter(({ id }) => flaky.has(id));
  return new Set(known.filter((test) => !isTestIn(test, changed)).map(({ id }) => id));
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
