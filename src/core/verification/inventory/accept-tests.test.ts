import { expect, it } from "vitest";
import type { TestCase } from "../reports/test-case.ts";
import { acceptTests } from "./accept-tests.ts";

const test = (file: string, name: string, status: TestCase["status"]): TestCase => ({ file, suite: "", name, status });

it("takes tests of accepted files as they stand now, and leaves all others as they stood", () => {
  const former = [test("a.js", "old", "passed"), test("b.js", "b", "passed")];
  const now = [test("a.js", "new", "failed"), test("b.js", "b", "failed")];
  expect(acceptTests(former, now, ["a.js"])).toEqual([test("b.js", "b", "passed"), test("a.js", "new", "failed")]);
});
