import { Script } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../../tests/property-seed.ts";
import { areEnoughNoticed, mutantsOf } from "./mutants-of.ts";

const lines = (text: string): ReadonlySet<number> => new Set(text.split("\n").map((_, index) => index + 1));

/** All mutants of a text of one line. */
function check(path: string, text: string, expected: string[]): void {
  const found = mutantsOf(path, text, { changedLines: lines(text), max: 100, pick: () => 0 });
  expect(found.map((mutant) => mutant.text)).toEqual(expected);
}

describe("mutants of changed lines", () => {
  it.each<[string, string, string[]]>([
    ["a.js", "if (a < b) f();", ["if (a <= b) f();"]],
    ["a.js", "if (a === b && c) {}", ["if (a !== b && c) {}", "if (a === b || c) {}"]],
    ["a.js", "if (!a) {}", ["if (a) {}"]],
    ["a.js", "x = true;", ["x = false;"]],
    ["a.js", "x = a + 1;", ["x = a - 1;", "x = a + 2;"]],
    ["a.js", 'x = a + "b"; // a + b', []],
    ["a.ts", "const a: Map<string, B> = new Map<string, B>();", []],
    ["a.js", "return f(a);", ["return undefined;"]],
    ["a.js", "save(a);", [";"]],
    ["a.js", 'import * as a from "b";', []],
    [
      "a.py",
      "if not a and b == 1:",
      ["if a and b == 1:", "if not a or b == 1:", "if not a and b != 1:", "if not a and b == 2:"],
    ],
    ["a.py", "if a not in b or c is not None:", ["if a not in b and c is not None:"]],
    ["a.py", "save(a)", ["pass"]],
    ["a.py", "return [1, 2]", ["return None"]],
    ["a.py", 'return "a" \\\n  "b"', []],
    ["a.go", "if a >= 3 || ok {", ["if a > 3 || ok {", "if a >= 4 || ok {", "if a >= 3 && ok {"]],
    ["a.go", "save(a)", []],
    ["a.rs", "fn f<T: A + B>(x: &'a str) -> T {}", []],
    ["a.rs", "if a == b { !c } else { d!(e) }", ["if a != b { !c } else { d!(e) }"]],
    ["a.c", "int *p = a * b;", []],
    ["a.c", "return (a) * 2;", ["return (a) + 2;", "return (a) * 3;"]],
    ["a.java", "list.add(x);", [";"]],
    ["a.java", "List<A> x = a < b;", ["List<A> x = a <= b;"]],
    ["a.rb", "class A < B", []],
    ["a.rb", "return a if b", ["return nil if b"]],
  ])("%s: %s", (path, text, expected) => {
    check(path, text, expected);
  });

  it("are made neither of other lines nor of tests", () => {
    const options = { changedLines: new Set([2]), max: 9, pick: () => 0 };
    expect(mutantsOf("a.js", "x = a < b;\ny = a < b;", options).map(({ line }) => line)).toEqual([2]);
    expect(mutantsOf("a.test.js", "\ny = a < b;", options)).toEqual([]);
    expect(mutantsOf("a.rs", "#[cfg(test)]\nmod a { fn b() { c == d } }", options)).toEqual([]);
    expect(mutantsOf("a.md", "\ny = a < b;", options)).toEqual([]);
  });

  it("are as many as wanted, chosen by the given function and in the order of the text", () => {
    const text = "a = b < c;\nd = e < f;\ng = h < i;";
    const chosen = (pick: (count: number) => number) =>
      mutantsOf("a.js", text, { changedLines: lines(text), max: 2, pick }).map(({ line }) => line);
    expect(chosen((count) => count - 1)).toEqual([2, 3]);
    expect(chosen(() => 0)).toEqual([1, 2]);
    expect(chosen(() => 99)).toEqual([2, 3]);
  });

  it("stay valid code, for any lines of a small grammar", () => {
    const expression = fc.constantFrom(
      "a < b",
      "!a && f(1)",
      "a + 1",
      "[1, 2]",
      "true",
      "`x ${a} < y`",
      "a ? 1 : 2",
      "/a < b/",
      "{ b: true }",
      "(c) => c - 1",
    );
    const statement = fc.oneof(
      expression.map((value) => `let x = ${value};`),
      expression.map((value) => `f(${value});`),
      expression.map((value) => `if (${value}) { f(); } else return ${value}`),
      expression.map((value) => `for (let i = 0; i < 3; i++) f(\n${value}\n);`),
    );
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 4 }), (statements) => {
        const text = `function g() {\n${statements.map((each) => `{ ${each}\n }`).join("\n")}\n}`;
        for (const mutant of mutantsOf("a.js", text, { changedLines: lines(text), max: 50, pick: () => 0 })) {
          expect(mutant.text).not.toBe(text);
          expect(new Script(mutant.text)).toBeDefined();
        }
      }),
      { seed: propertySeed, numRuns: 200 },
    );
  });
});

it.each([
  [6, 10, true],
  [5, 10, false],
  [0, 0, true],
  [1, 1, true],
  [0, 1, false],
])("noticing %i of %i mutants is enough: %s", (noticed, total, expected) => {
  expect(areEnoughNoticed(noticed, total)).toBe(expected);
});
