/** How a test ended. What a runner lets fail without turning red (a test that is expected to fail, or still to do) is skipped. */
export type TestStatus = "passed" | "failed" | "skipped";

/** One test of a report. */
export type TestCase = {
  /** Relative to the project; null when the report does not name it. */
  file: string | null;
  suite: string;
  name: string;
  status: TestStatus;
  /** Not a test: a file, a suite, a hook or the run, which failed as a whole. Gone when its cause is mended. */
  isWhole?: true;
  /** Passed, but only after an attempt that failed. */
  isRetried?: true;
};

/** What a reader found. A report that is not readable proves nothing. */
export type ReportContent = { isReadable: true; tests: TestCase[] } | { isReadable: false; problem: string };

/** A report that cannot be used; `problem` completes "the report …". */
export function unreadable(problem: string): ReportContent {
  return { isReadable: false, problem };
}

/** The identity of a test: file, suite, name, and a number for equal ones. */
export function testId(test: Pick<TestCase, "file" | "suite" | "name">, ordinal: number): string {
  return JSON.stringify([test.file, test.suite, test.name, ordinal]);
}

/** A failure of more than one test. */
export function wholeFailure(test: Pick<TestCase, "file" | "suite" | "name">): TestCase {
  return { file: test.file, suite: test.suite, name: test.name, status: "failed", isWhole: true };
}

/** Between the names of nested suites. */
export const suiteSeparator = " > ";

/** Whether a name in a report is the path of a test file: a class of Java or a module of Python has dots, but no such end. */
export function isFileLike(name: string): boolean {
  if (/\.[cm]?[jt]sx?$/.test(name)) return true;
  return name.includes("/") && /\.(?:py|go|rs|rb|java|kt|vue|svelte|sh|bats|t)$/.test(name);
}

/** Whether a name in a report of mocha is a hook's, perhaps behind its suite: it is listed only when it fails. */
export function isHook(name: string): boolean {
  return /(?:^| )"(?:before|after) (?:all|each)" hook(?:$|: | (?:for|in) ")/.test(name);
}
