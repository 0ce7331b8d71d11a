import { judgeAgreement } from "../inventory/agrees-with-exit.ts";
import { type Comparison, compareTests, type TestRule } from "../inventory/compare-tests.ts";
import type { CountedGroup } from "../inventory/counted-groups.ts";
import { disputeOf } from "../inventory/dispute-of.ts";
import { quarantineOf } from "../inventory/flaky-tests.ts";
import { numberTests, type NumberedTest } from "../inventory/number-tests.ts";
import { releaseTests } from "../inventory/release-tests.ts";
import { agreementText, nameOfTest, refusalText, unreadableText } from "../inventory/inventory-texts.ts";
import type { ReportContent, TestCase } from "../reports/test-case.ts";
import type { TestSummary } from "../verdict.ts";

/** What one run of a check in a sealed copy showed. */
export type SealedCheckFacts = {
  exitCode: number;
  /** What is wrong with how it ended, as a reason; null: as the check wants it. */
  problem: string | null;
  /** Null: the check gives none. */
  report: ReportContent | null;
  /** The tests of the base; null: nobody knows any. */
  inventory: readonly TestCase[] | null;
  /** Groups of its tests whose names vary from run to run. */
  counted: readonly CountedGroup[];
  /** Ids of its tests that were red and green on the base. */
  flaky: readonly string[];
  rule: TestRule;
  /** Files whose tests the agent may change: they are no part of what the base asks for. */
  allowed: readonly string[];
  /** Protected files that were written during the run. */
  touched: readonly string[];
  /** Tests of the base that the candidate changed or removed. */
  changedTests: readonly string[];
};

/** What such a run proves. `comparison` is null where there was no report. */
export type SealedCheckVerdict = {
  isPassed: boolean;
  reason: string;
  tests: TestSummary | null;
  comparison: Comparison | null;
  /** Red in nothing but tests of files that the candidate changed; empty otherwise. Its own form of them may be green. */
  disputable: NumberedTest[];
};

/** Names of tests in a verdict; the log has all of them. */
const namesMax = 20;

/**
 * A check passes when it ended as wanted, wrote to nothing that is sealed, and its report agrees: every test of the base ran and
 * stands no worse. Where the base had a report and this run has none, the exit code alone proves nothing.
 */
export function judgeSealedCheck(facts: SealedCheckFacts): SealedCheckVerdict {
  const { inventory, report, rule, counted } = facts;
  const { kept, released } = releaseTests(inventory ?? [], facts.allowed);
  const quarantined = quarantineOf({ flaky: new Set(facts.flaky), base: kept, changed: facts.changedTests });
  const comparison =
    report?.isReadable === true ? compareTests({ base: kept, now: report.tests, rule, quarantined, counted }) : null;
  const reasons = [...refusals(facts, comparison)];
  const tests =
    comparison === null
      ? null
      : { ...summaryOf(comparison, released), ...flakyOf(numberTests(kept).filter(({ id }) => quarantined.has(id))) };
  return {
    isPassed: reasons.length === 0,
    reason: reasons.length === 0 ? "passed" : `${reasons.join(". ")}.`,
    tests,
    comparison,
    disputable: disputableOf(facts, comparison),
  };
}

function disputableOf(
  { touched, changedTests, rule }: SealedCheckFacts,
  comparison: Comparison | null,
): NumberedTest[] {
  if (comparison === null || touched.length > 0 || rule === "free") return [];
  return disputeOf({ a: comparison, isGreenB: true, changed: changedTests }) ?? [];
}

function* refusals(facts: SealedCheckFacts, comparison: Comparison | null): Generator<string> {
  const { exitCode, problem, report, inventory, rule, touched } = facts;
  const isExcused = comparison !== null && isRedByChance(comparison, exitCode);
  if (problem !== null && !isExcused) yield problem;
  if (touched.length > 0)
    yield `Protected files were written during the check: ${touched.slice(0, namesMax).join(", ")}`;
  if (rule === "free") return;
  if (report === null && inventory !== null) yield "The check wrote no report, as it did before the first turn";
  if (report === null) return;
  if (!report.isReadable) {
    yield unreadableText(report.problem);
    return;
  }
  const disagreement = agreementText(judgeAgreement(report, exitCode), exitCode);
  // A red check says already that it failed.
  if (disagreement !== null && problem === null) yield disagreement;
  for (const refusal of comparison?.refusals ?? []) yield refusalText(refusal);
}

/** Whether nothing is red but tests that are red by chance: then the exit code says no more than they do. */
function isRedByChance({ counts, excused, refusals: found }: Comparison, exitCode: number): boolean {
  return exitCode !== 0 && excused.length > 0 && counts.failed === excused.length && found.length === 0;
}

function flakyOf(tests: readonly NumberedTest[]): Pick<TestSummary, "flaky"> {
  return tests.length === 0 ? {} : { flaky: tests.slice(0, namesMax).map(nameOfTest) };
}

function summaryOf({ counts, failed, missing, skipped }: Comparison, released: readonly TestCase[]): TestSummary {
  const names = [...failed, ...missing, ...skipped].slice(0, namesMax).map(nameOfTest);
  const allowed = released.slice(0, namesMax).map(nameOfTest);
  return { ...counts, names, ...(allowed.length === 0 ? {} : { allowed }) };
}
