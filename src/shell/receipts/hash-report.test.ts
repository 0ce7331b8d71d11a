import { expect, it } from "vitest";
import type { TestCase } from "../../core/verification/reports/test-case.ts";
import { hashReport } from "./hash-report.ts";

const one: TestCase = { file: "a.test.js", suite: "", name: "adds", status: "passed" };
const other: TestCase = { ...one, name: "subtracts" };
const hashOf = (...tests: TestCase[]): string | null => hashReport({ isReadable: true, tests });

it("is the same for the same results, in whatever order the tests ran", () => {
  expect(hashOf(one, other)).toBe(hashOf({ ...other, isRetried: true }, one));
});

it("differs when a test is gone, is there twice, or ended differently", () => {
  const hashes = [hashOf(one), hashOf(one, one), hashOf(one, other), hashOf(one, { ...other, status: "skipped" })];
  expect(new Set(hashes).size).toBe(4);
});

it("is none where there is no report, or one that cannot be read", () => {
  expect([hashReport(null), hashReport({ isReadable: false, problem: "is missing" })]).toEqual([null, null]);
});
