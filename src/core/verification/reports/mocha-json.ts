import { isObject } from "../../text/is-object.ts";
import { isHook, unreadable, type ReportContent, type TestCase } from "./test-case.ts";

/** The JSON of mocha: all tests in one list, and once more in lists by status. Hooks that failed stand in those alone. */
export function readMochaJson(report: Record<string, unknown>, all: readonly unknown[]): ReportContent {
  const pending = countKeys(report["pending"]);
  const failures = countKeys(report["failures"]);
  const tests: TestCase[] = [];
  for (const entry of all) {
    const place = placeOf(entry);
    if (place === null || !isObject(entry)) return unreadable("has a test without a title");
    const key = keyOf(place);
    const status = statusOf(entry, { failures, pending, key });
    const isRetried = status === "passed" && Number(entry["currentRetry"]) > 0;
    tests.push({ ...place, status, ...(isRetried ? { isRetried: true } : {}) });
  }
  for (const entry of listOf(report["failures"])) {
    const place = placeOf(entry);
    if (place === null) return unreadable("has a failure without a title");
    if (!take(failures, keyOf(place))) continue;
    tests.push({ ...place, status: "failed", ...(isHook(place.name) ? { isWhole: true } : {}) });
  }
  return { isReadable: true, tests };
}

type Left = { failures: Map<string, number>; pending: Map<string, number>; key: string };

/** Of tests with the same name only the one with an error is the one that failed. */
function statusOf(entry: Record<string, unknown>, { failures, pending, key }: Left): TestCase["status"] {
  if (isObject(entry["err"]) && Object.keys(entry["err"]).length > 0) {
    take(failures, key);
    return "failed";
  }
  return take(pending, key) ? "skipped" : "passed";
}

type Place = Pick<TestCase, "file" | "suite" | "name">;

function placeOf(entry: unknown): Place | null {
  if (!isObject(entry) || typeof entry["title"] !== "string") return null;
  const { title, fullTitle, file } = entry;
  const suite = typeof fullTitle === "string" && fullTitle.endsWith(title) ? fullTitle.slice(0, -title.length) : "";
  return { file: typeof file === "string" ? file : null, suite: suite.trimEnd(), name: title };
}

function keyOf({ file, suite, name }: Place): string {
  return JSON.stringify([file, suite, name]);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function countKeys(list: unknown): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of listOf(list)) {
    const place = placeOf(entry);
    if (place !== null) counts.set(keyOf(place), (counts.get(keyOf(place)) ?? 0) + 1);
  }
  return counts;
}

/** Whether one is left, which is then used up. */
function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}
