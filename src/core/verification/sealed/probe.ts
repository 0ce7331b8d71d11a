import { disguiseMarks } from "../falsify/disguise-marks.ts";
import { falsifyFile, type Falsified } from "../falsify/falsify-file.ts";
import { areRedOnlyIn } from "../inventory/flaky-tests.ts";
import { nameOfTest, namesOfTests } from "../inventory/inventory-texts.ts";
import { numberTests, type NumberedTest } from "../inventory/number-tests.ts";
import type { ReportContent, TestCase } from "../reports/test-case.ts";

/** Test files with false expectations, by path. */
export type ProbeFiles = ReadonlyMap<string, Falsified>;

/** Makes the expectations of test files false; files in which there is none are left out. */
export function falsifyFiles(texts: ReadonlyMap<string, string>): ProbeFiles {
  const found = new Map<string, Falsified>();
  for (const [path, text] of texts) {
    const falsified = falsifyFile(path, text);
    if (falsified !== null) found.set(path, { ...falsified, text: disguiseMarks(falsified.text) });
  }
  return found;
}

/** A suite of a second may start slowly; one that has noticed nothing within this time of a short one hangs. */
const probeMsMin = 30_000;

/**
 * How long a run with false expectations may take where one with true ones took so long. A test that fails may leave a server open,
 * so that its runner never ends.
 */
export function probeLimitMs(plainMs: number): number {
  return Math.max(probeMsMin, 5 * plainMs);
}

/** What a run with false expectations showed, beside the same run with true ones. */
export type ProbeFacts = {
  files: ProbeFiles;
  exitCode: number;
  report: ReportContent | null;
  /** Tests that were red or missing at the base and are green now. */
  turned: readonly NumberedTest[];
  /** Ids of tests that stayed green on the base, too: they never listened, and prove nothing about this candidate. */
  deaf: ReadonlySet<string>;
  /** Ids of tests that are red by chance: they show nothing. */
  flaky: ReadonlySet<string>;
  /** Helpers of tests that were heard on the base: their calls are assertions. */
  helpers: ReadonlySet<string>;
};

/** What the probe proves. `unprobed`: turned tests in whose own text nothing could be made false. */
export type ProbeVerdict = { isPassed: boolean; reason: string; unprobed: string[] };

/** Never says which literals were changed: whoever knows them could pass the probe with a lie. */
export const deafReason =
  "The tests pass although their expectations were made false: something in the code or its imports disables them.";

/**
 * A suite that notices false expectations is red, and so is every turned test whose own expectation was made false. Code that
 * disables assertions, answers from the test's data or forges a result stays green.
 */
export function judgeProbe({ files, exitCode, report, turned, deaf, helpers, flaky }: ProbeFacts): ProbeVerdict {
  const isProbed = (test: TestCase): boolean => spotsOf(test, files, helpers) > 0;
  const probed = turned.filter((test) => isProbed(test) && !deaf.has(test.id));
  const unprobed = turned.filter((test) => !isProbed(test)).map(nameOfTest);
  const tests = report?.isReadable === true ? report.tests : null;
  const isByChance = tests !== null && areRedOnlyIn(tests, flaky);
  if (exitCode === 0 || isByChance) return { isPassed: false, reason: deafReason, unprobed };
  const green = tests === null ? [] : greenOnes(probed, tests);
  if (green.length === 0) return { isPassed: true, reason: "passed", unprobed };
  return { isPassed: false, reason: `${deafReason} ${namesOfTests(green)}.`, unprobed };
}

/** Ids of tests that are green although their own expectations are false. */
export function deafTests(files: ProbeFiles, tests: readonly TestCase[]): Set<string> {
  const green = numberTests(tests).filter(({ status }) => status === "passed");
  return new Set(green.filter((test) => spotsOf(test, files) > 0).map(({ id }) => id));
}

function greenOnes(probed: readonly NumberedTest[], tests: readonly TestCase[]): NumberedTest[] {
  const green = new Set(greenIds(tests));
  return probed.filter(({ id }) => green.has(id));
}

function greenIds(tests: readonly TestCase[]): string[] {
  return numberTests(tests)
    .filter(({ status }) => status === "passed")
    .map(({ id }) => id);
}

/**
 * Helpers that were heard on the base: tests with nothing but their calls were green there, and failed when the values they got were
 * changed.
 */
export function heardHelpers(files: ProbeFiles, runs: Record<"plain" | "probed", readonly TestCase[]>): string[] {
  const green = new Set(greenIds(runs.plain));
  const noticed = numberTests(runs.probed).filter(({ id, status }) => status === "failed" && green.has(id));
  return [...new Set(noticed.flatMap((test) => blocksOf(test, files).flatMap(({ helpers }) => helpers)))];
}

/** Whether something in the files is surely an assertion: then even a suite that the base did not show to listen has to. */
export function areSure(files: ProbeFiles): boolean {
  return [...files.values()].some(({ isSure }) => isSure);
}

/**
 * How many expectations in the text of a test were made false. A test that stands in no known block counts none; without `helpers` any
 * call counts that may be an assertion.
 */
function spotsOf(test: TestCase, files: ProbeFiles, helpers: ReadonlySet<string> | null = null): number {
  const blocks = blocksOf(test, files).filter(
    (block) => helpers === null || block.helpers.length === 0 || block.helpers.some((each) => helpers.has(each)),
  );
  return Math.max(0, ...blocks.map(({ spotCount }) => spotCount));
}

function blocksOf(test: TestCase, files: ProbeFiles): Falsified["blocks"] {
  const own = test.file === null ? [...files.values()] : [files.get(test.file)];
  return own.flatMap((file) => file?.blocks.filter(({ name }) => isNamed(test, name)) ?? []);
}

/** Reports add cases to names: `test_x[1-2]`, `TestX/case`, and suites before them. */
function isNamed({ name }: TestCase, own: string): boolean {
  if (own === "") return false;
  return name === own || name.startsWith(`${own}[`) || name.endsWith(` ${own}`) || name.startsWith(`${own}(`);
}
