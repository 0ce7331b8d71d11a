import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { falsifyFile } from "../../src/core/verification/falsify/falsify-file.ts";
import { propertySeed } from "../property-seed.ts";

const paths = [
  "a.test.ts",
  "test_a.py",
  "a_test.go",
  "a.rs",
  "a.cpp",
  "ATest.java",
  "ATest.kt",
  "a_test.rb",
  "a.sh",
  "a.snap",
  "a.json",
  "expected.txt",
  "a.csv",
  "a.yaml",
];

const pieces = [
  ..."( ) [ ] { } ' \" ` \\ / # $ , ; : = == != ! . | \n a 1 0.5 é".split(" "),
  ..."expect( .toBe( assert. assert assertEqual( assert_eq!( if t.Error it( def test_a(): ${ /* // <<~E %w[ r#\" ''' exports[`a`] expected want: for in of each(".split(
    " ",
  ),
];

describe("any text as a test file", () => {
  it("is read without an error, and changed only where the spots say", () => {
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (path, words) => {
        const text = words.join(" ");
        const falsified = falsifyFile(path, text);
        if (falsified === null) return;
        expect(falsified.spots.length).toBeGreaterThan(0);
        expect(falsified.text).not.toBe(text);
        const lines = text.split("\n").length;
        for (const { line } of falsified.spots) expect(line).toBeLessThanOrEqual(lines);
      }),
      { seed: propertySeed, numRuns: 1500 },
    );
  });

  it("is read in linear time, however it nests or repeats", () => {
    const slow = paths.flatMap((path) =>
      [
        "expect(",
        "assert(",
        "assert_eq!(",
        "[",
        "{a: ",
        "if ",
        "if (",
        "assertEqual([",
        "it('a', () => {",
        "x = [[",
        "for a, b in ",
      ].map((piece) => [path, piece.repeat(2000)] as const),
    );
    const started = process.cpuUsage().user;
    for (const [path, text] of slow) falsifyFile(path, text);
    // Quadratic reading of one of these texts alone takes longer.
    expect((process.cpuUsage().user - started) / 1e6).toBeLessThan(40);
  });
});

const literal = fc.constantFrom(
  "3",
  "-1.5",
  "'x'",
  '"y\\""',
  "[]",
  "[1, 2]",
  "{}",
  "{'a': 1, 'b': [2]}",
  "(1 + 2)",
  "f(3)",
  "name",
  "[f(1), name]",
);
const javaScriptLine = fc
  .oneof(
    fc
      .tuple(
        fc.constantFrom("toBe", "toEqual", "not.toBe", "toThrow", "toBeGreaterThan", "toHaveBeenCalledWith"),
        literal,
      )
      .map(([matcher, value]) => `expect(f(1)).${matcher}(${value});`),
    fc
      .tuple(fc.constantFrom("equal", "deepEqual", "notEqual", "throws", "ok", "match"), literal, literal)
      .map(([name, one, other]) => `assert.${name}(${one}, ${other});`),
    literal.map((value) => `assert(f(1) === ${value} || !name);`),
    literal.map((value) => `const expected = ${value}`),
    literal.map((value) => `for (const [a, b] of [[1, ${value}], [2, 3]]) expect(a).toBe(b)`),
    fc.constantFrom("expect(f(`a ${name} b`)).toBe(/x[/]y/g)", "// expect(1).toBe(2)", "expect(f).toBeTruthy()"),
  )
  .map((line) => `it("t", () => { ${line}\n });`);
const pythonLine = fc
  .oneof(
    fc
      .tuple(literal, fc.constantFrom("==", "!=", "<", "is not", "in"), literal)
      .map(([one, sign, other]) => `assert ${one} ${sign} ${other}, 'm'`),
    fc
      .tuple(
        fc.constantFrom("assertEqual", "assertIn", "assertTrue", "assertRaises", "assertAlmostEqual", "assertIsNone"),
        literal,
        literal,
      )
      .map(([name, one, other]) => `self.${name}(${one}, ${other})`),
    literal.map((value) => `expected = ${value}`),
    literal.map((value) => `assert not f(\n        ${value}\n    ) or name`),
    literal.map((value) => `for a, b in [(1, ${value}), (2, 3)]: assert a == b`),
    fc.constantFrom(
      "x = '''\nassert 1 == 2\n'''",
      "pass # assert 1 == 2",
      'assert f(1) == f"a{name}"',
      "assert (yield) == 3",
    ),
  )
  .map((line) => `def test_t():\n    ${line}\n`);

describe("a generated test file stays valid when its expectations are made false", () => {
  it("is parsed by Node when it is JavaScript", () => {
    fc.assert(
      fc.property(fc.array(javaScriptLine, { minLength: 1, maxLength: 5 }), (lines) => {
        const text = lines.join("\n");
        expect(new Script(text)).toBeDefined();
        expect(new Script(falsifyFile("a.test.js", text)?.text ?? "")).toBeDefined();
      }),
      { seed: propertySeed, numRuns: 400 },
    );
  });

  it.skipIf(spawnSync("python3", ["--version"]).status !== 0)("is compiled by Python when it is Python", () => {
    const files = fc.sample(fc.array(pythonLine, { minLength: 1, maxLength: 4 }), { seed: propertySeed, numRuns: 400 });
    const texts = files.map((lines) => falsifyFile("test_a.py", lines.join("\n"))?.text ?? "");
    const scratch = mkdtempSync(join(tmpdir(), "ralph-falsify-"));
    writeFileSync(join(scratch, "texts.json"), JSON.stringify(texts));
    const program =
      "import json,warnings\nwarnings.simplefilter('ignore')\nfor t in json.load(open('texts.json')):\n  try: compile(t, 't', 'exec')\n  except SyntaxError as e: print(e, repr(t))";
    const { stdout, stderr } = spawnSync("python3", ["-c", program], { cwd: scratch, encoding: "utf8" });
    rmSync(scratch, { recursive: true, force: true });
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
  });
});
