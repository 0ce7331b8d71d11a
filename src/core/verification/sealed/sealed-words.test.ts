import { expect, it } from "vitest";
import { sealedWords } from "./sealed-words.ts";

const tests = { passed: 12, failed: 0, skipped: 1, missing: 0, added: 2, names: [] };

it("counts the tests of a sealed check", () => {
  expect(sealedWords({ isSealed: true, tests })).toEqual(["sealed", "12 tests passed, 1 skipped, 2 new"]);
  expect(sealedWords({ isSealed: true, tests: { ...tests, failed: 3, missing: 4, added: 0 } })).toEqual([
    "sealed",
    "12 tests passed, 3 failed, 1 skipped, 4 missing",
  ]);
});

it("counts a single test as one", () => {
  const one = { passed: 1, failed: 0, skipped: 0, missing: 0, added: 0, names: [] };
  expect(sealedWords({ isSealed: true, tests: one })).toEqual(["sealed", "1 test passed"]);
});

it("calls an exit code alone weak", () => {
  expect(sealedWords({ isSealed: true })).toEqual(["sealed", "evidence: exit code (weak)"]);
});

it("says nothing of a check in the agent's tree", () => {
  expect(sealedWords({})).toEqual([]);
});

it("names the tests that the agent may change", () => {
  const free = { ...tests, allowed: ["a.test.js > adds"] };
  expect(sealedWords({ isSealed: true, tests: free })[1]).toContain("free to change: a.test.js > adds");
});

it("names the tests that may fail", () => {
  const shaky = { ...tests, flaky: ["a.test.js > sometimes"] };
  expect(sealedWords({ isSealed: true, tests: shaky })[1]).toContain("flaky, may fail: a.test.js > sometimes");
});
