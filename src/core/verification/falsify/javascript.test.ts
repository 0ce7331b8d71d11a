import { describe, expect, it } from "vitest";
import { falsifyFile } from "./falsify-file.ts";

/** Row: a line of a test, and what it becomes; numbers that depend on the place are shown as N. */
function check(line: string, expected: string | null, path = "a.test.js"): void {
  const result = falsifyFile(path, line)?.text ?? null;
  expect(result?.replaceAll(/falsified\d+/g, "falsified").replaceAll(/\b10\d{5}(?:\.\d+)?\b/g, "N") ?? null).toBe(
    expected,
  );
}

describe("expectations in JavaScript", () => {
  it.each<[string, string | null]>([
    ["expect(add(1, 2)).toBe(3);", "expect(add(1, 2)).toBe(N);"],
    ["expect(add(1, 2)).toBe(-3)", "expect(add(1, 2)).toBe(-N)"],
    ["expect(a).toBeCloseTo(0.3, 5)", "expect(a).toBeCloseTo(N, 5)"],
    ['expect(a).toEqual({ a: 1, "b": [2, "x"] })', 'expect(a).toEqual({ a: 1, "b": [2, "x-falsified"] })'],
    ["expect(a).toEqual([])", 'expect(a).toEqual(["falsified",])'],
    ["expect(a).toEqual({})", "expect(a).toEqual({falsified: 1,})"],
    ["expect(a).toEqual([b, c])", 'expect(a).toEqual([b, c, "falsified",])'],
    ["expect(a).toEqual({ b, c: f(3) })", "expect(a).toEqual({ b, c: f(3) , falsified: 1,})"],
    ["expect(a).toEqual(new Set([1]))", "expect(a).toEqual(new Set([N]))"],
    ["expect(a).toBe(null)", 'expect(a).toBe("falsified")'],
    ["expect(a).toBe(true)", "expect(a).toBe(false)"],
    ["expect(a).toMatch(/b|c/i)", "expect(a).toMatch(/(?!)/i)"],
    ["expect(a).toBe(`b ${c}`)", "expect(a).toBe(`b ${c}-falsified`)"],
    ["expect(a).toBe(b)", "expect(a).toBe(Symbol())"],
    ["expect(a).toBeTruthy()", "expect(a).not.toBeTruthy()"],
    ["expect(a).not.toBe(3)", "expect(a).toBe(3)"],
    ["expect(a).toBeGreaterThan(3)", "expect(a).not.toBeGreaterThan(3)"],
    ["await expect(a).resolves.toBe(3)", "await expect(a).resolves.toBe(N)"],
    ["expect(f).toHaveBeenCalledWith(1, b)", "expect(f).toHaveBeenCalledWith(N, b)"],
    ["expect(() => f(1)).toThrow()", 'expect(() => f(1)).toThrow("falsified")'],
    ["expect(() => f(1)).toThrow(TypeError)", 'expect(() => f(1)).toThrow("falsified")'],
    ['expect(() => f(1)).toThrow("no")', 'expect(() => f(1)).toThrow("no-falsified")'],
    ["expect(a).toMatchInlineSnapshot(`3`)", "expect(a).toMatchInlineSnapshot(`3-falsified`)"],
    ["expect(a).toMatchSnapshot()", null],
    ["expect(a).to.deep.equal([1])", "expect(a).to.deep.equal([N])"],
    ["expect(a).to.be.true", "expect(a).to.be.not.true"],
    ["a.should.equal(3)", "a.should.equal(N)"],
    ["expect(\n  f(1),\n).toEqual([\n  1,\n  2,\n]);", "expect(\n  f(1),\n).toEqual([\n  1,\n  N,\n]);"],
  ])("%s", (line, expected) => {
    check(line, expected);
  });

  it.each<[string, string | null]>([
    ["assert.equal(add(1, 2), 3)", "assert.equal(add(1, 2), N)"],
    ["assert.equal(3, add(1, 2))", "assert.equal(N, add(1, 2))"],
    ['assert.strictEqual(a, "b", "message")', 'assert.strictEqual(a, "b-falsified", "message")'],
    ["assert.deepEqual(a, b)", "assert.deepEqual(a, Symbol())"],
    ["assert.notEqual(a, 3)", "assert.equal(a, 3)"],
    ["assert(f(2))", "assert(f(2) && false)"],
    ["assert(f(2) === 4)", "assert(f(2) === N)"],
    ["assert.ok(a || b)", "assert.ok((a || b) && false)"],
    ["assert.ok(!f(2))", "assert.ok(!f(2) && false)"],
    ["assert.throws(() => f(1))", "assert.throws(() => f(1), /(?!)/)"],
    ["assert.throws(() => f(1), TypeError)", "assert.throws(() => f(1), /(?!)/)"],
    ["await assert.rejects(f(1), { code: 3 })", "await assert.rejects(f(1), { code: N })"],
    ["assert.doesNotThrow(() => f(1))", "assert.throws(() => f(1))"],
    ["assert.match(a, /b/)", "assert.match(a, /(?!)/)"],
    ["assert.ifError(e)", 'assert.ifError(new Error("falsified"))'],
    ["t.is(f(1), 2)", "t.is(f(1), N)"],
    ["t.plan(3)", null],
    [
      'import { equal as same } from "node:assert";\nsame(a, 1)',
      'import { equal as same } from "node:assert";\nsame(a, N)',
    ],
    ['const { ok } = require("assert");\nok(a)', 'const { ok } = require("assert");\nok(a && false)'],
  ])("%s", (line, expected) => {
    check(line, expected);
  });

  it.each<[string, string | null]>([
    ["// expect(a).toBe(3)", null],
    ['const a = "expect(b).toBe(3)";', null],
    ['const a = f(3); import b from "c";', null],
    ["const expected = 3;\nexpect(f(1)).toBe(expected)", "const expected = N;\nexpect(f(1)).toBe(expected)"],
    [
      "const cases = [{ a: 1, want: 3 }];\nexpect(f(c.a)).toBe(c.want)",
      "const cases = [{ a: 1, want: N }];\nexpect(f(c.a)).toBe(c.want)",
    ],
    ['function f(expected = "x") {}', null],
    ["expect(f(1)).toBe(", null],
  ])("only what is expected is changed: %j", (line, expected) => {
    check(line, expected);
  });

  it.each<[string, string]>([
    [
      "it.each([[1, 2], [3, 4]])('a', (a, b) => { expect(f(a)).toBe(b) })",
      "it.each([[1, N], [3, N]])('a', (a, b) => { expect(f(a)).toBe(b) })",
    ],
    [
      "it.each([[2, 1]])('a', (expected, b) => { expect(f(b)).toBe(expected) })",
      "it.each([[N, 1]])('a', (expected, b) => { expect(f(b)).toBe(expected) })",
    ],
    [
      "const rows = [[1, 'x']];\nfor (const [a, b] of rows) assert.equal(f(a), b)",
      "const rows = [[1, 'x-falsified']];\nfor (const [a, b] of rows) assert.equal(f(a), b)",
    ],
    [
      "[[1, true]].forEach(([a, b]) => assert.equal(f(a), b))",
      "[[1, false]].forEach(([a, b]) => assert.equal(f(a), b))",
    ],
    [
      "it.each`\n a | b\n ${1} | ${2}\n ${3} | ${'x'}\n`('c', ({ a, b }) => {})",
      "it.each`\n a | b\n ${1} | ${N}\n ${3} | ${'x-falsified'}\n`('c', ({ a, b }) => {})",
    ],
  ])("the expected column of a table is changed, and the assertion on it stays: %j", (line, expected) => {
    check(line, expected);
  });

  it("keeps the types of TypeScript where a value is made equal to nothing", () => {
    check("expect(a).toBe(b)", "expect(a).toBe((Symbol() as never))", "a.test.ts");
  });

  it("leaves other assertions of a test alone when one of its literals was made false", () => {
    check(
      'it("a", () => {\n  assert.ok(b);\n  assert.equal(c, 1);\n});',
      'it("a", () => {\n  assert.ok(b);\n  assert.equal(c, N);\n});',
    );
  });
});

describe("the tests of a JavaScript file", () => {
  it("have their titles, suites, lines and the number of changes in them", () => {
    const text = [
      'describe("sums", () => {',
      "  it('adds', () => {",
      "    expect(add(1, 2)).toBe(3);",
      "    expect(add(2, 2)).toBe(4);",
      "  });",
      "  test.concurrent(`can't`, () => {});",
      "});",
      'it.each([[1, 2]])("doubles %i", (a, b) => { expect(f(a)).toBe(b) });',
    ].join("\n");
    expect(falsifyFile("a.test.ts", text)?.blocks).toEqual([
      { name: "adds", suites: ["sums"], fromLine: 2, toLine: 5, spotCount: 2, helpers: [] },
      { name: "can't", suites: ["sums"], fromLine: 6, toLine: 6, spotCount: 0, helpers: [] },
      { name: "doubles %i", suites: [], fromLine: 8, toLine: 8, spotCount: 1, helpers: [] },
    ]);
  });
});
