import type { TestCase } from "../reports/test-case.ts";
import type { Refusal } from "./refusal.ts";

/** A file (or a suite, where files are unknown) whose tests are compared by number; null: the whole report. */
export type CountedGroup = { group: string | null; passedMin: number; failedMax: number };

/**
 * The groups whose names differ between runs of the same tree, as for tests that are named after a port, a date or an address.
 * Of their numbers the fewest passed and the most failed count.
 */
export function findCountedGroups(runs: readonly (readonly TestCase[])[]): CountedGroup[] {
  const groups = new Set(runs.flatMap((tests) => tests.map(groupOf)));
  const split = runs.map((tests) => Map.groupBy(tests, groupOf));
  const names = (tests: readonly TestCase[]): string =>
    JSON.stringify(
      tests
        .filter(({ isWhole }) => isWhole !== true)
        .map(({ suite, name }) => `${suite}\n${name}`)
        .toSorted(),
    );
  return [...groups]
    .filter((group) => new Set(split.map((tests) => names(tests.get(group) ?? []))).size > 1)
    .map((group) => {
      const counts = split.map((tests) => countOf(tests.get(group) ?? []));
      return {
        group,
        passedMin: Math.min(...counts.map(({ passed }) => passed)),
        failedMax: Math.max(...counts.map(({ failed }) => failed)),
      };
    });
}

/** What the numbers of these groups refuse. */
export function compareCounts(groups: readonly CountedGroup[], now: readonly TestCase[]): Refusal[] {
  const split = Map.groupBy(now, groupOf);
  return groups.flatMap(({ group, passedMin, failedMax }): Refusal[] => {
    const { passed, failed } = countOf(group === null ? now : (split.get(group) ?? []));
    return [
      ...(passed < passedMin ? [{ kind: "fewer" as const, group, passedBase: passedMin, passedNow: passed }] : []),
      ...(failed > failedMax
        ? [{ kind: "more-failed" as const, group, failedBase: failedMax, failedNow: failed }]
        : []),
    ];
  });
}

function groupOf(test: TestCase): string {
  return test.file ?? test.suite;
}

function countOf(tests: readonly TestCase[]): { passed: number; failed: number } {
  const count = (status: TestCase["status"]): number => tests.filter((test) => test.status === status).length;
  return { passed: count("passed"), failed: count("failed") };
}
