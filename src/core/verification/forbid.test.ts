import { describe, expect, it } from "vitest";
import { findForbidden, type ForbidRules } from "./forbid.ts";

const all = ["tsc -b", "eslint .", "ruff check", "mypy src", "pytest --cov", "vitest run --coverage"];

type Given = { rules?: ForbidRules; checks?: string[] };

function check(path: string, text: string, expected: string[], given: Given = {}): void {
  const { rules = {}, checks = all } = given;
  expect(findForbidden([{ path, line: 3, text }], rules, checks).map(({ key, line }) => `${key}:${line}`)).toEqual(
    expected.map((key) => `${key}:3`),
  );
}

describe("forbidden lines", () => {
  it.each<[string, string, string[]]>([
    ["a.ts", "// @ts-ignore", ["ts-ignore"]],
    ["a.ts", "/* @ts-expect-error: later */", ["ts-ignore"]],
    ["a.tsx", "const b = c as  any;", ["as-any"]],
    ["a.ts", "function f(a: any) {}", ["any-type"]],
    ["a.ts", "// takes: any value, as any other", []],
    ["a.ts", 'throw new Error("not: any");', []],
    ["a.ts", " * note: any", []],
    ["a.js", "const a = { b: any };", []],
    ["a.ts", "const many: anyone = 1;", []],
    ["a.js", "// eslint-disable-next-line no-eval", ["eslint-disable"]],
    ["a.py", "x = 1  # noqa: E501", ["noqa"]],
    ["a.py", "x = 1  # type: ignore[attr]", ["type-ignore"]],
    ["a.py", "if x:  # pragma: no cover", ["no-cover"]],
    ["a.ts", "/* v8 ignore next */", ["coverage-ignore"]],
    ["a.md", "write // @ts-ignore", []],
    ["a.ts", "list.only(3)", []],
  ])("%s: %s", (path, text, expected) => {
    check(path, text, expected);
  });

  it.each<[string, string[]]>([
    ['it .only("a", () => {});', ["only"]],
    ['describe .only.each([1])("a", f);', ["only"]],
    ['fdescribe("a", f);', ["only"]],
    ['fit("a", f);', ["only"]],
    ['const profit = fitness("a");', []],
    ["// it .only(", []],
    ["// @ts-ignore", []],
  ])("in tests only what leaves other tests out: %s", (text, expected) => {
    check("src/a.test.ts", text, expected, { checks: [] });
  });

  it("are looked for only when the tool that they silence is among the checks", () => {
    check("a.ts", "// @ts-ignore eslint-disable", ["eslint-disable"], { checks: ["eslint ."] });
    check("a.ts", "// @ts-ignore eslint-disable", [], { checks: ["npm test"] });
  });

  it("are switched off by key, and added by the user", () => {
    check("a.ts", "// @ts-ignore", [], { rules: { "ts-ignore": false } });
    check("a.go", "panic(todo)", ["mine"], { rules: { mine: "panic\\(" } });
    check("a.go", "a (b", ["mine"], { rules: { mine: "a (" } });
    check("a_test.go", "panic(todo)", [], { rules: { mine: "panic\\(" } });
  });
});
