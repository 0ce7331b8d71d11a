import type { Comparison } from "../inventory/compare-tests.ts";
import { findUnstable } from "../inventory/flaky-tests.ts";
import { unstableText } from "../inventory/inventory-texts.ts";
import type { TestCase } from "../reports/test-case.ts";

/** A check that is green on a claim; `comparison` is null where it gives no report. */
export type TurnedFacts = {
  comparison: Comparison | null;
  /** How it ended before the first turn; null: unknown. */
  baseExitCode: number | null;
};

/** How many tests of a check turned green. Without a report the check itself counts as one test, which turned when it was red. */
export function countTurned({ comparison, baseExitCode }: TurnedFacts): number {
  if (comparison !== null) return comparison.turned.length;
  return baseExitCode === 0 ? 0 : 1;
}

/** One more run of the same check on the same candidate; `tests` is null without a report that can be read. */
export type RepeatedRun = { exitCode: number; tests: readonly TestCase[] | null };

/** Why repeated runs refuse the claim; null: what turned green stayed green in all of them. */
export function judgeRepeats(comparison: Comparison | null, runs: readonly RepeatedRun[]): string | null {
  const count = runs.length + 1;
  if (comparison === null) {
    const red = runs.filter(({ exitCode }) => exitCode !== 0).length;
    return red === 0 ? null : `The check turned green by chance: it failed in ${red} of ${count} runs.`;
  }
  const ids = new Set(comparison.turned.map(({ id }) => id));
  const unstable = new Set(
    findUnstable(
      ids,
      runs.map(({ tests }) => tests ?? []),
    ),
  );
  const shaky = comparison.turned.filter(({ id }) => unstable.has(id));
  return shaky.length === 0 ? null : `${unstableText(shaky, count)}.`;
}
