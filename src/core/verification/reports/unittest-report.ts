import { unreadable, wholeFailure, type ReportContent, type TestCase } from "./test-case.ts";

/**
 * Reads what `python -m unittest -v` prints, best from standard error alone: what tests print to it stands between name and result.
 * The sum that unittest prints must fit the tests that were named; failures that it explains below count as failures.
 */
export function readUnittest(text: string): ReportContent {
  const tests: TestCase[] = [];
  let lines: string[] = [];
  let count: number | null = null;
  let isRun = false;
  for (const line of text.split(/\r?\n/)) {
    if (count !== null && line.trim() === "") continue;
    if (count === null) {
      count = countOf(line);
      if (count === null) lines.push(line);
      continue;
    }
    const notPassed = readVerdict(line);
    if (notPassed === null) break;
    const run = readRun(lines, { count, notPassed });
    if (typeof run === "string") return unreadable(run);
    for (const test of run) tests.push(test);
    [lines, count, isRun] = [[], null, true];
  }
  const hasMore = count !== null || lines.some((line) => startPattern.test(line) && line.includes(" ... "));
  return isRun && !hasMore ? { isReadable: true, tests } : unreadable("ends too early");
}

/** `Ran 3 tests in 0.1s`: how many. */
function countOf(line: string): number | null {
  const count = /^Ran (\d{1,9}) tests? in \d/.exec(line)?.[1];
  return count === undefined ? null : Number(count);
}

/** `OK (skipped=1, expected failures=1)`, the line below the count: how many tests neither passed nor failed. */
function readVerdict(line: string): number | null {
  const match = /^(?:OK|FAILED|NO TESTS RAN)(?: \(([^()]{1,200})\))?$/.exec(line);
  if (match === null) return null;
  const parts = (match[1] ?? "").matchAll(/(?:^|, )(?:skipped|expected failures)=(\d{1,9})/g);
  return Array.from(parts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

/** What unittest says of a run as a whole. */
type Sums = { count: number; notPassed: number };
type Entry = {
  id: string;
  name: string;
  status: TestCase["status"] | null;
  isHook: boolean;
  isSkipped: boolean;
  /** Its subtests that were skipped. */
  skippedParts: number;
};

/** `test_adds (tests.test_basic.Basic)`, since Python 3.11 `test_adds (tests.test_basic.Basic.test_adds)`. */
const startPattern = /^(\S{1,1000}) \(([^\s()]{1,1000})\)(?: \.\.\. (.*))?$/;
const explainedPattern = /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S{1,1000} \([^\s()]{1,1000}\))/;

function readRun(lines: readonly string[], { count, notPassed }: Sums): TestCase[] | string {
  const body = lines.findIndex((line) => /^={70}$/.test(line));
  const entries = readEntries(lines.slice(0, body === -1 ? lines.length : body));
  const explained = new Set(lines.flatMap((line) => explainedPattern.exec(line)?.[1] ?? []));
  const tests = entries.filter(({ isHook }) => !isHook);
  // Some versions of Python 3.12 do not count what is skipped.
  const skipped = tests.filter(({ isSkipped }) => isSkipped).length;
  if (count > tests.length || count < tests.length - skipped)
    return `says that ${count} tests ran and names ${tests.length}`;
  // What a test prints may look like its result: then one that was skipped would be read as passed.
  const named = entries.reduce(
    (sum, { status, skippedParts }) => sum + skippedParts + (status === "skipped" ? 1 : 0),
    0,
  );
  if (named !== notPassed) return `says that ${notPassed} tests were skipped or failed as expected and names ${named}`;
  const known = new Set(entries.map(({ id }) => id));
  const others = [...explained].filter((id) => !known.has(id)).map((id) => readStart(id)?.entry);
  return [...entries, ...others.filter((entry) => entry !== undefined)].map((entry) =>
    testOf(entry, explained.has(entry.id) || !known.has(entry.id)),
  );
}

/** How many names may stand on one line. */
const namesMax = 100;

function readEntries(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  let open: Entry | null = null;
  for (const line of lines) {
    let rest: string | null = line;
    // A test whose subtest failed prints no result before Python 3.11: the next name stands in its place.
    for (let count = 0; count < namesMax && rest !== null; count += 1) {
      const start = readStart(rest);
      if (start === null) break;
      entries.push(start.entry);
      open = start.entry;
      rest = start.rest;
    }
    const status = rest === null ? null : resultOf(rest);
    const last = entries.at(-1);
    if (last !== undefined && line.startsWith(`  ${last.id} `) && isSkip(line)) last.skippedParts += 1;
    if (open === null || status === null || line.startsWith("  ")) continue;
    open.status = status;
    open.isSkipped = isSkip(rest ?? "");
    open = null;
  }
  return entries;
}

function readStart(line: string): { entry: Entry; rest: string | null } | null {
  const match = startPattern.exec(line);
  const [, name, place, rest] = match ?? [];
  if (name === undefined || place === undefined || !place.includes(".")) return null;
  const isHook = /^(?:setUp|tearDown)(?:Class|Module)$/.test(name);
  return {
    entry: { id: `${name} (${place})`, name, status: null, isHook, isSkipped: false, skippedParts: 0 },
    rest: rest ?? null,
  };
}

/** The result at the end of a line, behind what the test printed. */
function resultOf(rest: string): TestCase["status"] | null {
  if (/(?:^|\s)ok$/.test(rest)) return "passed";
  if (/(?:^|\s)(?:FAIL|ERROR|unexpected success)$/.test(rest)) return "failed";
  return /(?:^|\s)expected failure$/.test(rest) || isSkip(rest) ? "skipped" : null;
}

/** `skipped 'reason'` at the end of a line. */
function isSkip(rest: string): boolean {
  const at = rest.lastIndexOf("skipped ");
  const quote = rest[at + "skipped ".length];
  return at !== -1 && (quote === "'" || quote === '"') && rest.endsWith(quote) && !/\S/.test(rest[at - 1] ?? " ");
}

/** Without a result of its own a test passed: unittest explains every one that failed. */
function testOf({ id, name, status, isHook, skippedParts }: Entry, isExplained: boolean): TestCase {
  const place = id.slice(name.length + 2, -1);
  const suite = place.endsWith(`.${name}`) ? place.slice(0, -name.length - 1) : place;
  const file = null;
  if (suite === "unittest.loader._FailedTest") return wholeFailure({ file, suite: name, name: "" });
  if (isHook && status !== "skipped") return wholeFailure({ file, suite, name });
  if (isExplained) return { file, suite, name, status: "failed" };
  return { file, suite, name, status: skippedParts > 0 ? "skipped" : (status ?? "passed") };
}
