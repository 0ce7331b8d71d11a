import { describe, expect, it } from "vitest";
import { changedLines, testsOf } from "../../../../tests/falsify/changed-lines.ts";
import { falsifyFile } from "./falsify-file.ts";

function check(path: string, text: string, expected: string[]): void {
  expect(changedLines(path, text)).toEqual(expected);
}

describe("expected values in snapshot files", () => {
  it("are all changed, and each is named as its test", () => {
    const text =
      '// Jest Snapshot v1\n\nexports[`a > b\\` 1`] = `\n{\n  "c": \\`1\\`,\n}\n`;\n\nexports[`d 2`] = `3`;\n';
    check("a.snap", text, ["-falsified`;", "exports[`d 2`] = `3-falsified`;"]);
    expect(testsOf("a.snap", text)).toEqual(["a > b`: 3-7, 1", "d: 9-9, 1"]);
  });

  it("of insta are one value after the head", () => {
    check("a.snap", "---\nsource: a.rs\n---\nvalue\n", ["value-falsified"]);
  });
});

describe("expected values in data", () => {
  it.each<[string, string, string[]]>([
    [
      "cases.json",
      '[\n {"a": 1, "expected": 3},\n {"a": 1, "expected": []}\n]',
      ['{"a": 1, "expected": N},', '{"a": 1, "expected": ["falsified"]}'],
    ],
    ["rows.json", "[\n [1, 2],\n [3, null]\n]", ["[1, N],", '[3, "falsified"]']],
    ["input.json", '{"a": 1}', []],
    ["a/expected/out.json", '{"a": [1, {"b": true}]}', ['{"a": [1, {"b": false}]}']],
    ["expected.json", "{}", ['{"falsified": 1}']],
    ["expected.txt", "a\nb\n", ["b-falsified"]],
    ["cases.csv", 'a,expected,c\n1,2,3\n"x,y","z",4', ["1,N,3", '"x,y","z-falsified",4']],
    ["cases.csv", "a,b\n1,2", []],
    ["cases.tsv", "a\tresult\n1\ttrue", ["1\tfalse"]],
    ["cases.txt", "a|expected\n1|x", ["1|x-falsified"]],
    ["a.feature", "Examples:\n  | a | expected |\n  | 1 | 2 |\n\n  | b |\n  | 3 |", ["| 1 | N |"]],
    ["cases.yaml", "- a: 1\n  expected: 3\n- want: 'x'", ["expected: N", "- want: 'x-falsified'"]],
    ["a.png", "expected\0", []],
  ])("%s: %j", (path, text, expected) => {
    check(path, text, expected);
  });

  it("stay valid JSON", () => {
    for (const text of ["[]", "{}", '{"a": {}}', '[{"a": 1}]', '"a\\"b"', "-3.5e7", "[[], [null]]"])
      expect(() => JSON.parse(falsifyFile("expected.json", text)?.text ?? "") as unknown).not.toThrow();
  });

  it("are not looked for in a file over the bound", () => {
    expect(falsifyFile("expected.txt", "a".repeat(1_000_001))).toBeNull();
  });
});
