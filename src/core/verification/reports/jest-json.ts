import { isObject } from "../../text/is-object.ts";
import { suiteSeparator, unreadable, wholeFailure, type ReportContent, type TestCase } from "./test-case.ts";

/** The JSON of jest, which vitest writes, too: files with their tests. */
export function readJestJson(report: Record<string, unknown>, files: readonly unknown[]): ReportContent {
  const tests: TestCase[] = [];
  for (const entry of files) {
    if (!isObject(entry) || typeof entry["name"] !== "string") return unreadable("has a file without a name");
    const results = entry["assertionResults"];
    if (!Array.isArray(results)) return unreadable("has a file without a list of tests");
    const own: TestCase[] = [];
    for (const result of results) {
      const test = readResult(result, entry["name"]);
      if (test === null) return unreadable("has a test without a title");
      own.push(test);
    }
    // A file that cannot be loaded has no tests; below a broken hook vitest only skips them.
    const isOwn = entry["status"] === "failed" && !own.some(({ status }) => status === "failed");
    if (isOwn) own.push(wholeFailure({ file: entry["name"], suite: "", name: entry["name"] }));
    for (const test of own) tests.push(test);
  }
  // An error that belongs to no test, such as a promise that was rejected after its test.
  const isOther = report["success"] === false && tests.length > 0 && !tests.some(({ status }) => status === "failed");
  if (isOther) tests.push(wholeFailure({ file: null, suite: "", name: "" }));
  return { isReadable: true, tests };
}

function readResult(result: unknown, file: string): TestCase | null {
  if (!isObject(result) || typeof result["title"] !== "string") return null;
  const ancestors: unknown = result["ancestorTitles"];
  const suites = Array.isArray(ancestors) ? ancestors.map(String) : [];
  const status = statusOf(result["status"]);
  const messages: unknown = result["failureMessages"];
  const hasFailed = Array.isArray(messages) && messages.length > 0;
  const isRetried = status === "passed" && (hasFailed || Number(result["invocations"]) > 1);
  const test = { file, suite: suites.join(suiteSeparator), name: result["title"], status };
  return isRetried ? { ...test, isRetried: true } : test;
}

/** A word that nobody knows is no pass. */
function statusOf(word: unknown): TestCase["status"] {
  if (word === "passed") return "passed";
  return typeof word === "string" && notRun.includes(word) ? "skipped" : "failed";
}

const notRun = ["skipped", "pending", "todo", "disabled"];
