import { cleanLine } from "../../text/clean-text.ts";
import { truncateText } from "../../text/truncate.ts";
import { suiteSeparator, type TestCase } from "../reports/test-case.ts";
import type { Agreement } from "./agrees-with-exit.ts";
import type { Comparison } from "./compare-tests.ts";
import type { Refusal } from "./refusal.ts";

/** Names in one sentence; a verdict has at most this many. */
const namesMax = 20;

/** Characters of one name: a name is text of the project, and a report can have any. */
const nameCharsMax = 200;

/** A test for people and prompts, on one line. */
export function nameOfTest({ file, suite, name }: Pick<TestCase, "file" | "suite" | "name">): string {
  const parts = [file ?? "", suite, name === file ? "" : name].filter((part) => part !== "");
  return truncateText(cleanLine(parts.join(suiteSeparator)), nameCharsMax, "head");
}

/** The first names and how many there are beside them. */
export function namesOfTests(tests: readonly Pick<TestCase, "file" | "suite" | "name">[]): string {
  const names = tests.slice(0, namesMax).map(nameOfTest).join("; ");
  return tests.length > namesMax ? `${names}; and ${tests.length - namesMax} more` : names;
}

/** Why tests refuse a claim, one sentence for each reason. */
export function refusalText(refusal: Refusal): string {
  switch (refusal.kind) {
    case "failed":
      return `${counted(refusal.tests.length, "test")} failed: ${namesOfTests(refusal.tests)}`;
    case "missing":
      return `${counted(refusal.tests.length, "test")} of the base did not run: ${namesOfTests(refusal.tests)}`;
    case "skipped":
      return `${counted(refusal.tests.length, "test")} ran at the base and ${isAre(refusal.tests.length)} skipped now: ${namesOfTests(refusal.tests)}`;
    case "fewer":
      return `${placeOf(refusal.group)}${counted(refusal.passedNow, "test")} passed, and at the base ${refusal.passedBase}`;
    case "more-failed":
      return `${placeOf(refusal.group)}${counted(refusal.failedNow, "test")} failed, and at the base ${refusal.failedBase}`;
    case "empty":
      return `No test ran (0 of ${refusal.baseCount})`;
  }
}

/** What a report and an exit code say against each other; null when they agree. */
export function agreementText(agreement: Agreement, exitCode: number): string | null {
  switch (agreement) {
    case "agrees":
      return null;
    case "green-but-failed":
      return `The report names no failed test, but the check ended with exit code ${exitCode}`;
    case "red-but-succeeded":
      return "The report names failed tests, but the check ended with exit code 0";
    case "unreadable":
      return "The check wrote no report that can be read";
  }
}

/** The problem of a report that cannot be read. */
export function unreadableText(problem: string): string {
  return `The report ${problem}`;
}

/** Turned tests that did not pass every time. */
export function unstableText(tests: readonly Pick<TestCase, "file" | "suite" | "name">[], repeats: number): string {
  return `${counted(tests.length, "test")} did not pass in each of ${repeats} runs: ${namesOfTests(tests)}`;
}

/** One line with the numbers, for people. */
export function countsText({ counts, turned, excused }: Comparison): string {
  return [
    `${counts.passed} passed`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    ...(counts.missing > 0 ? [`${counts.missing} missing`] : []),
    ...(counts.added > 0 ? [`${counts.added} added`] : []),
    ...(turned.length > 0 ? [`${turned.length} turned green`] : []),
    ...(excused.length > 0 ? [`${excused.length} flaky`] : []),
  ].join(", ");
}

/** Without a report only the exit code is evidence. */
export const exitCodeOnly = 'evidence: "exit code"';

function placeOf(group: string | null): string {
  return group === null ? "" : `${truncateText(cleanLine(group), nameCharsMax, "head")}: `;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function isAre(count: number): string {
  return count === 1 ? "is" : "are";
}
