import { testId, type TestCase } from "../reports/test-case.ts";
import { compareCounts, type CountedGroup } from "./counted-groups.ts";
import { numberTests, type NumberedTest } from "./number-tests.ts";
import type { Refusal } from "./refusal.ts";

/** What is asked of tests: by name, by number, or nothing. */
export type TestRule = "keep" | "count" | "free";

/** The tests of the base and of now, and what is known about them. */
export type ComparisonInput = {
  base: readonly TestCase[];
  now: readonly TestCase[];
  rule: TestRule;
  /** Ids of tests of the base that are known to be flaky: they may fail, but must run. */
  quarantined: ReadonlySet<string>;
  /** Groups whose names vary from run to run: they are compared by numbers. */
  counted: readonly CountedGroup[];
};

/** How the tests of now stand against those of the base. */
export type Comparison = {
  isAccepted: boolean;
  refusals: Refusal[];
  counts: { passed: number; failed: number; skipped: number; missing: number; added: number };
  /** Red now; those that were red at the base are in `stillFailed` instead. */
  failed: NumberedTest[];
  /** Of the inventory, and not run now. */
  missing: NumberedTest[];
  /** Skipped now, and not at the base. */
  skipped: NumberedTest[];
  /** Green now, and not at the base: red, skipped or absent. */
  turned: NumberedTest[];
  /** All of the inventory that stand worse than at the base. */
  worse: NumberedTest[];
  /** Not in the inventory. */
  added: NumberedTest[];
  stillFailed: NumberedTest[];
  /** Flaky tests that failed now, which refuses nothing. */
  excused: NumberedTest[];
};

/** Compares the tests that ran now with the inventory: every test of the base must be there and no worse than it was. */
export function compareTests(input: ComparisonInput): Comparison {
  const isCounted = countedFilter(input.counted);
  const base = numberTests(input.base.filter((test) => !isCounted(test)));
  const now = numberTests(input.now.filter((test) => !isCounted(test)));
  const lists = compareByName({ base, now, quarantined: input.quarantined });
  const refusals = refusalsOf(input, lists);
  return {
    isAccepted: refusals.length === 0,
    refusals,
    counts: {
      passed: count(input.now, "passed"),
      failed: count(input.now, "failed"),
      skipped: count(input.now, "skipped"),
      missing: lists.missing.length,
      added: lists.added.length,
    },
    ...lists,
  };
}

type Lists = Omit<Comparison, "isAccepted" | "refusals" | "counts">;

function countedFilter(counted: readonly CountedGroup[]): (test: TestCase) => boolean {
  const groups = new Set(counted.map(({ group }) => group));
  return (test) => groups.has(test.file ?? test.suite);
}

function compareByName({
  base,
  now,
  quarantined,
}: {
  base: readonly NumberedTest[];
  now: readonly NumberedTest[];
  quarantined: ReadonlySet<string>;
}): Lists {
  const lists: Lists = {
    failed: [],
    missing: [],
    skipped: [],
    turned: [],
    worse: [],
    added: [],
    stillFailed: [],
    excused: [],
  };
  const before = new Map(base.map((test) => [test.id, test]));
  const after = new Map(now.map((test) => [test.id, test]));
  const known = countKnown(base, (test) => test.status === "failed");
  const flaky = countKnown(base, (test) => test.status === "passed" && quarantined.has(test.id));
  for (const test of now) {
    const old = before.get(test.id);
    if (old === undefined && test.isWhole !== true) lists.added.push(test);
    if (test.status === "passed" && old?.status !== "passed") lists.turned.push(test);
    if (test.status === "skipped" && old !== undefined && old.status !== "skipped") lists.skipped.push(test);
    if (test.status !== "failed") continue;
    if (take(known, test)) lists.stillFailed.push(test);
    else if (take(flaky, test)) lists.excused.push(test);
    else lists.failed.push(test);
  }
  for (const test of base) if (!after.has(test.id) && isMissed(test, after)) lists.missing.push(test);
  lists.worse = [...lists.failed.filter(({ id }) => before.has(id)), ...lists.skipped, ...lists.missing];
  return lists;
}

/** How many of the tests with the same name may fail: which of them it is cannot be told. */
function countKnown(base: readonly NumberedTest[], isOne: (test: NumberedTest) => boolean): Map<string, number> {
  const counts = new Map<string, number>();
  for (const test of base.filter(isOne)) counts.set(testId(test, 0), (counts.get(testId(test, 0)) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, test: NumberedTest): boolean {
  const left = counts.get(testId(test, 0)) ?? 0;
  if (left > 0) counts.set(testId(test, 0), left - 1);
  return left > 0;
}

/**
 * A file or suite that failed as a whole is gone when it is mended. Some runners list a failing test twice, so a red one with a
 * number is not missed either when its first namesake is green.
 */
function isMissed(test: NumberedTest, after: ReadonlyMap<string, NumberedTest>): boolean {
  if (test.isWhole === true) return false;
  const isRepeated = test.status === "failed" && test.ordinal > 0;
  return !(isRepeated && after.get(testId(test, 0))?.status === "passed");
}

function refusalsOf({ base, now, rule, counted }: ComparisonInput, lists: Lists): Refusal[] {
  if (rule === "free") return [];
  const tests = now.filter((test) => test.isWhole !== true);
  const baseCount = base.filter((test) => test.isWhole !== true).length;
  const isEmpty = !tests.some(({ status }) => status !== "skipped") && !isSkippedAnyway(base, tests);
  const empty: Refusal[] = isEmpty ? [{ kind: "empty", baseCount }] : [];
  // A flaky test that failed is one passed test less, and is allowed.
  const whole: CountedGroup = {
    group: null,
    passedMin: count(base, "passed") - lists.excused.length,
    failedMax: count(base, "failed") + lists.excused.length,
  };
  if (rule === "count") return [...empty, ...compareCounts([whole], now)];
  const named = (["failed", "missing", "skipped"] as const)
    .map((kind): Refusal => ({ kind, tests: lists[kind] }))
    .filter((refusal) => "tests" in refusal && refusal.tests.length > 0);
  return [...empty, ...named, ...compareCounts(counted, now)];
}

/** Nothing ran: that is empty, unless the base had tests and skipped each of them, too. */
function isSkippedAnyway(base: readonly TestCase[], now: readonly TestCase[]): boolean {
  return now.length > 0 && base.length > 0 && base.every(({ status }) => status === "skipped");
}

function count(tests: readonly TestCase[], status: TestCase["status"]): number {
  return tests.filter((test) => test.status === status).length;
}
