/** A tiny project with an honest suite: which files are tests, how they are checked and run, how a failed test is shown. */
export type Project = {
  files: Record<string, string>;
  tests: readonly string[];
  syntax: readonly string[];
  run: readonly string[];
  red: (name: string) => RegExp;
  /** How many tests by name are made false. */
  probed: number;
};

const escape = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

export const nodeFiles: Project = {
  files: {
    "sum.mjs": `
export const add = (a, b) => a + b;
export const names = () => ["ada", "bob"];
export const fail = (text) => { throw new TypeError(text); };
export const find = (id) => id === 1 ? { id, tags: [], at: null } : undefined;
`,
    "sum.test.mjs": `
import assert, { strictEqual as same } from "node:assert/strict";
import { describe, it, test } from "node:test";
import { add, fail, find, names } from "./sum.mjs";

const cases = [[1, 2, 3], [2, 2, 4]];
describe("sums", () => {
  it("adds", () => { assert.equal(add(1, 2), 3, "1 + 2"); });
  it("adds 'more'", () => { same(add(0.1, 0.2).toFixed(1), "0.3"); });
  for (const [a, b, total] of cases) it("adds " + a, () => assert.equal(add(a, b), total));
});
test("lists names", () => assert.deepEqual(names(), ["ada", \`bob\`]));
test("throws", () => assert.throws(() => fail("no"), TypeError));
test("throws a text", () => { assert.throws(() => fail("no / way"), /no \\/ way/); });
test("finds", () => {
  assert.ok(find(1));
});
test("finds nothing", () => { assert.equal(find(2), undefined); });
test("finds a record", () => {
  assert.deepEqual(
    find(1),
    { id: 1, tags: [], at: null },
  );
});
test("has an own expected value", () => {
  const expected = { id: 1, tags: [], at: null };
  assert.deepEqual(find(1), expected);
});
test("differs", () => assert.notEqual(add(1, 1), 3));
test("compares variables", () => {
  const one = add(1, 2);
  const other = add(2, 1);
  assert.equal(one, other);
});
test("matches", async () => {
  await assert.rejects(async () => fail("x"), { name: "TypeError" });
});
test("is true of all", () => assert(names().every((name) => name.length === 3)));
`,
  },
  tests: ["sum.test.mjs"],
  syntax: [process.execPath, "--check"],
  run: [process.execPath, "--test", "--test-reporter=tap", "sum.test.mjs"],
  red: (name) => new RegExp(`not ok \\d+ - ${escape(name)}`),
  probed: 13,
};

export const pythonFiles: Project = {
  files: {
    "calc.py": `
def add(a, b):
    return a + b

def div(a, b):
    if b == 0:
        raise ZeroDivisionError("zero")
    return a / b

def find(key):
    return {"key": key, "tags": [], "at": None}
`,
    "test_calc.py": `
import unittest
from calc import add, div, find

CASES = [(1, 2, 3), (2, 2, 4)]

class CalcTest(unittest.TestCase):
    def setUp(self):
        self.base = 3

    def test_add(self):
        self.assertEqual(add(1, 2), 3)

    def test_expected_first(self):
        self.assertEqual(3, add(1, 2), "message 3")

    def test_plain(self):
        assert add(1, 2) == 3, "it's"

    def test_truth(self):
        assert add(1, 2)

    def test_truth_of_method(self):
        self.assertTrue(
            add(1, 2) == add(2, 1)
        )

    def test_false(self):
        self.assertFalse(add(0, 0))

    def test_almost(self):
        self.assertAlmostEqual(add(0.1, 0.2), 0.3, places=7)

    def test_raises(self):
        with self.assertRaises(ZeroDivisionError):
            div(1, 0)

    def test_record(self):
        self.assertEqual(find("x"), {"key": "x", "tags": [], "at": None})

    def test_none(self):
        self.assertIsNone(find("x")["at"])

    def test_variable(self):
        expected = """x"""
        self.assertEqual(find("x")["key"], expected)

    def test_different(self):
        self.assertNotEqual(add(1, 2), 4)

    def test_variables(self):
        one = add(1, 2)
        self.assertEqual(one, add(2, 1))

    def test_in(self):
        self.assertIn("key", find("x"))
        assert add(1, 1) in (1, 2)

    def test_order(self):
        assert 1 < add(1, 1) < 3

    def test_loop(self):
        for a, b, total in CASES:
            self.assertEqual(add(a, b), total)

if __name__ == "__main__":
    unittest.main()
`,
  },
  tests: ["test_calc.py"],
  syntax: ["python3", "-m", "py_compile"],
  run: ["python3", "-m", "unittest", "-v", "test_calc"],
  red: (name) => new RegExp(`(?:FAIL|ERROR): ${escape(name)} `),
  probed: 15,
};

export const shellFiles: Project = {
  files: {
    "add.sh": "echo $(($1 + $2))\n",
    "test.sh": `#!/bin/sh
set -e
# [ 1 = 2 ]
result="$(sh add.sh 1 2)"
[ "$result" = "3" ]
if [ "$(sh add.sh 2 2)" -ne 4 ]; then
  echo "wrong"
  exit 1
fi
sh add.sh 1 1 | grep -q '^2$' || exit 1
cat > out.txt <<EOF
[ 1 = 1 ]
EOF
`,
  },
  tests: ["test.sh"],
  syntax: ["sh", "-n"],
  run: ["sh", "test.sh"],
  red: () => /^/,
  probed: 0,
};

export const cFiles: Project = {
  files: {
    "test_add.c": `
#include <assert.h>
#include <string.h>
#define TWO 2
static int add(int a, int b) { return a + b; }
static unsigned char byte(void) { return 'a'; }
/* assert(add(1, 1) == 3); */
int main(void) {
  assert(add(1, TWO) == 3);
  assert(byte() == 'a');
  assert(strcmp("x", "x") == 0);
  if (add(2, 2) != 4) { return 1; }
  return 0;
}
`,
    "run.sh": "gcc -o test_add test_add.c && ./test_add\n",
  },
  tests: ["test_add.c"],
  syntax: ["gcc", "-fsyntax-only"],
  run: ["sh", "run.sh"],
  red: () => /^/,
  probed: 0,
};

export const rustFiles: Project = {
  files: {
    "calc.rs": `
pub fn add(a: u8, b: u8) -> u8 { a + b }
pub fn name(id: u32) -> Option<String> { if id == 1 { Some("ada".to_string()) } else { None } }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn adds() { assert_eq!(add(1, 2), 3); }
    #[test]
    fn adds_more() { assert_eq!(add(100, 100), 200u8, "message {}", 3); }
    #[test]
    fn names() { assert_eq!(name(1), Some("ada".to_string())); }
    #[test]
    fn names_nothing() { assert_eq!(name(2), None); }
    #[test]
    fn holds() { assert!(name(1).is_some() || add(1, 1) == 9); }
    #[test]
    fn differs() { assert_ne!(add(1, 2), 4); }
    #[test]
    fn lists() { let x: &'static str = "b"; assert_eq!(vec!["a", x], ["a", "b"]); }
    #[test]
    #[should_panic]
    fn panics() { let big = [250u8]; let _ = big[add(1, 1) as usize]; }
    #[test]
    fn tables() { for (a, want) in [(1, 2), (2, 3)] { assert_eq!(add(a, 1), want); } }
}
`,
    "run.sh": "rustc --edition 2021 --test -o calc calc.rs && ./calc\n",
  },
  tests: ["calc.rs"],
  syntax: ["rustc", "--edition", "2021", "--test", "--emit=metadata"],
  run: ["sh", "run.sh"],
  red: (name) => new RegExp(`tests::${escape(name)} (?:- should panic )?\\.\\.\\. FAILED`),
  probed: 9,
};
