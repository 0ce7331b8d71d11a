import { describe, expect, it } from "vitest";
import { planReport } from "./plan-report.ts";
import { selectTests } from "./select-tests.ts";
import type { TestCase } from "./test-case.ts";

const test = (name: string, suite = "", file: string | null = null): TestCase => ({
  file,
  suite,
  name,
  status: "passed",
});

function commandFor(command: string, tests: TestCase[], script = ""): string | null {
  const manifest = JSON.stringify({ scripts: { test: script } });
  const plan = planReport({ command, files: (path) => (path === "package.json" ? manifest : null), file: "F" });
  if (plan === null) return "no plan";
  return selectTests(plan, tests)?.command.replace(/--reporter.*F |--json --outputFile=F /, "… ") ?? null;
}

describe("single tests of a check", () => {
  const check = (command: string, tests: TestCase[], expected: string | null): void =>
    expect(commandFor(command, tests)).toBe(expected);

  it.each<[string, TestCase[], string | null]>([
    ["vitest run", [test("adds (1)", "s > t"), test("b")], String.raw`vitest run … -t '^(?:s t adds \(1\)|b)$'`],
    ["jest", [test("a"), test("a")], "jest … -t '^(?:a)$'"],
    ["mocha", [test("a", "s t")], "mocha … --grep '^(?:s t a)$'"],
    [
      "pytest",
      [test("test_a[1]", "tests.test_b.TestC", "tests/test_b.py")],
      "pytest 'tests/test_b.py::TestC::test_a[1]'",
    ],
    ["pytest -q", [test("test_a", "tests.test_b", "tests/test_b.py")], "pytest -q tests/test_b.py::test_a"],
    ["pytest tests", [test("test_a", "tests.test_b", "tests/test_b.py")], null],
    ["pytest", [test("test_a", "other", "tests/test_b.py")], null],
    ["python -m unittest -v", [test("test_a", "m.C")], "python -m unittest -v -k m.C.test_a"],
    ["go test ./...", [test("TestA/b", "p"), test("TestC", "p")], "go test -json -run '^(?:TestA|TestC)$' ./..."],
    ["cargo test", [test("m::zählt"), test("b")], "cargo test -- --exact 'm::zählt' b"],
    ["cargo test -- --test-threads=1", [test("a")], null],
    ["cargo test", [test("add", "Doc-tests p", "src/lib.rs")], null],
    [
      "mvn test",
      [test("a", "x.B"), test("rows(String)[1]", "x.B")],
      "mvn test '-Dtest=x.B#a,x.B#rows' -Dsurefire.failIfNoSpecifiedTests=false",
    ],
    ["node --test", [test("a")], null],
    ["npx playwright test", [test("a")], null],
    ["tape a.js", [test("a")], null],
    ["vitest run", [], null],
    ["vitest run", Array.from({ length: 201 }, (_, index) => test(`t${index}`)), null],
    ["vitest run", [test("n".repeat(40_000))], null],
    ["vitest run", [{ ...test("f.js"), status: "failed", isWhole: true }], null],
  ])("%s with %j: %s", (command, tests, expected) => check(command, tests, expected));

  it("are named behind the arguments of the report", () => {
    expect(commandFor("npm test", [test("a")], "vitest run")).toBe("npm test -- … -t '^(?:a)$'");
    expect(commandFor("npm test", [test("test_a", "t", "t.py")], "pytest")).toBe("npm test -- t.py::test_a");
    expect(commandFor("npm test", [test("TestA", "p")], "go test")).toBeNull();
  });
});
