import { describe, expect, it } from "vitest";
import { findForbidden, forbiddenText, type ForbidRules } from "./forbid.ts";

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
    ["a.ts", "// @ts-ignore", ["tsIgnore"]],
    ["a.ts", "/* @ts-expect-error: later */", ["tsIgnore"]],
    ["a.tsx", "const b = c as  any;", ["asAny"]],
    ["a.ts", "function f(a: any) {}", ["anyType"]],
    ["a.ts", "// takes: any value, as any other", []],
    ["a.ts", 'throw new Error("not: any");', []],
    ["a.ts", " * note: any", []],
    ["a.js", "const a = { b: any };", []],
    ["a.ts", "const many: anyone = 1;", []],
    ["a.js", "// eslint-disable-next-line no-eval", ["eslintDisable"]],
    ["a.py", "x = 1  # noqa: E501", ["noqa"]],
    ["a.py", "x = 1  # type: ignore[attr]", ["typeIgnore"]],
    ["a.py", "if x:  # pragma: no cover", ["noCover"]],
    ["a.ts", "/* v8 ignore next */", ["coverageIgnore"]],
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
    check("a.ts", "// @ts-ignore eslint-disable", ["eslintDisable"], { checks: ["eslint ."] });
    check("a.ts", "// @ts-ignore eslint-disable", [], { checks: ["npm test"] });
  });

  it("are switched off by key", () => {
    check("a.ts", "// @ts-ignore", [], { rules: { tsIgnore: false } });
  });

  it("refuse a claim by their places, the first of many", () => {
    expect(forbiddenText([])).toBeNull();
    const found = Array.from({ length: 12 }, (_, line) => ({ path: "a.ts", line, text: "", key: "asAny" as const }));
    expect(forbiddenText(found)).toContain("a.ts:0 (asAny), a.ts:1 (asAny)");
    expect(forbiddenText(found)).toContain("a.ts:9 (asAny) and 2 more.");
  });
});
