import { readGo } from "./go-report.ts";
import { readJson } from "./json-report.ts";
import { readJunit } from "./junit-report.ts";
import { readLibtest } from "./libtest-report.ts";
import { readNodeTest } from "./node-test-report.ts";
import { readTap } from "./tap-report.ts";
import { unreadable, type ReportContent, type TestCase } from "./test-case.ts";
import { readUnittest } from "./unittest-report.ts";

/** The formats of reports that are read. */
export type ReportFormat = "junit" | "node-test" | "json" | "go" | "tap" | "unittest" | "libtest";

/** A report of 100 000 tests has about 20 million characters. */
const reportCharsMax = 64 * 1024 * 1024;

/** More tests than any suite has: a report above it is forged or broken. */
const testsMax = 200_000;

/** Where the suite ran: its path is removed from files and names, because each copy of a project has another one. */
export type ReportOrigin = { folder: string };

/** Reads the report of a test runner. Any text gives a result, and in time that grows with its length. */
export function readReport(format: ReportFormat, text: string, { folder }: ReportOrigin): ReportContent {
  if (text.length > reportCharsMax) return unreadable(`is longer than ${reportCharsMax} characters`);
  const content = readers[format](text);
  if (!content.isReadable) return content;
  if (content.tests.length > testsMax) return unreadable(`names more than ${testsMax} tests`);
  return { isReadable: true, tests: content.tests.map((test) => relocate(test, folder)) };
}

/** Several reports of one run, as maven and gradle write them: one for each class. */
export function readReports(format: ReportFormat, texts: readonly string[], place: ReportOrigin): ReportContent {
  const tests: TestCase[] = [];
  for (const text of texts) {
    const content = readReport(format, text, place);
    if (!content.isReadable) return content;
    for (const test of content.tests) tests.push(test);
  }
  return { isReadable: true, tests };
}

const readers: Record<ReportFormat, (text: string) => ReportContent> = {
  junit: readJunit,
  "node-test": readNodeTest,
  json: readJson,
  go: readGo,
  tap: readTap,
  unittest: readUnittest,
  libtest: readLibtest,
};

function relocate(test: TestCase, folder: string): TestCase {
  const without = (text: string): string =>
    folder === "" ? text : text.replaceAll(`file://${folder}/`, "").replaceAll(`${folder}/`, "");
  const file = test.file === null ? null : without(test.file.replaceAll("\\", "/")).replace(/^(?:\.\/)+/, "");
  return { ...test, file, suite: without(test.suite), name: without(test.name) };
}
