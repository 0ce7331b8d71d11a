import { expect, it } from "vitest";
import { changedLines, testsOf } from "../../../../tests/falsify/changed-lines.ts";

it.each([
  [
    "a.test.js",
    'function check(a, expected) { expect(f(a)).toBe(expected) }\nit("b", () => { check(1, 2) })',
    ['it("b", () => { check(1, N) })'],
  ],
  [
    "a.test.ts",
    "const check = (a: A, want: B): void => { assert.equal(f(a), want) }\ncheck(1, 'x')",
    ["check(1, 'x-falsified')"],
  ],
  [
    "test_a.py",
    "def check(self, a, expected):\n    assert f(a) == expected\ndef test_b():\n    self.check(1, [2])",
    ["self.check(1, [N])"],
  ],
  ["a.test.js", "function check(a, b) {}\ncheck(1, 2)", []],
])("what a test hands to a helper of its file as expected is made false there: row %#", (path, text, expected) => {
  expect(changedLines(path, text)).toEqual(expected);
});

it("a call of a helper counts for the test it stands in", () => {
  const text = 'function check(a, expected) { expect(f(a)).toBe(expected) }\nit("b", () => { check(1, 2) })';
  expect(testsOf("a.test.js", text)).toEqual(["b: 2-2, 1"]);
});
