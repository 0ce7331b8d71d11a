import { describe, expect, it } from "vitest";
import { createProtections, type Protection, protectionOf, type ProtectRules } from "./protection.ts";

const none: ProtectRules = { protect: [], allow: [], writable: [], named: [] };

function check(paths: string, expected: Protection | null, rules: Partial<ProtectRules> = {}): void {
  for (const path of paths.split(" ")) {
    expect([path, protectionOf(path, { ...none, ...rules })]).toEqual([path, expected]);
  }
}

describe("protected paths", () => {
  it("are tests of every ecosystem", () => {
    check("tests/a.txt src/test/java/A.java pkg/__tests__/x.ts a/testdata/in.json __snapshots__/x.snap", "test");
    check("src/a.test.ts src/a.spec.js test_a.py a_test.go a_test.rb FooTest.java BarTest.cs a_spec.rb", "test");
    check("src/contest.ts src/latest/a.ts testing.ts src/attest.py", null);
  });

  it("are runner files, also those among the tests", () => {
    check(
      ".npmrc sub/.npmrc tests/conftest.py conftest.py pytest.ini setup.cfg tsconfig.build.json Makefile x/a.mk",
      "runner",
    );
    check(
      "vitest.config.ts tests/jest.config.js .env .env.test .envrc .eslintrc.json .prettierrc .nvmrc .dummyignore",
      "runner",
    );
    check(
      ".cargo/config.toml gradle/wrapper/gradle-wrapper.jar go.work sitecustomize.py src/x.pth .mocharc.yml",
      "runner",
    );
    check("tests/node_modules/chai/index.js evil.egg-info/entry_points.txt src/__pycache__/a.pyc", "runner");
    check(".gitignore src/environment.ts src/config.ts archive/a.ts", null);
  });

  it("are modules that hide one of the runner, at a root of the path and beside tests only", () => {
    check("unittest.py src/json.py tests/pytest.py pytest/__init__.py tests/unit/re.py", "shadow");
    check("queue.py app/json.py src/app/types.py src/calendar.py", null);
  });

  it("are what agents obey", () => {
    check("CLAUDE.md sub/AGENTS.md .claude/settings.json .mcp.json .cursor/rules/a.mdc tests/CLAUDE.md", "agent");
  });

  it("are what checks and the settings name", () => {
    check("ci/check.sh", "named", { named: ["ci/check.sh"] });
    check("schema/a.sql", "named", { protect: ["schema/**"] });
    check("tests/a.ts", "test", { named: ["tests/a.ts"] });
    check("ci/check.sh", null);
  });

  it("are not what the settings allow the agent to change", () => {
    check("tests/a.ts", null, { allow: ["tests/**"] });
    check("tests/conftest.py", null, { allow: ["conftest.py"] });
    check("ci/check.sh", null, { named: ["ci/check.sh"], allow: ["ci"] });
  });
});

describe("protected keys of manifests", () => {
  const keysOf = (path: string, rules: Partial<ProtectRules> = {}): readonly string[] =>
    createProtections({ ...none, ...rules }).keysOf(path);

  it("are those that decide how tests run, in manifests anywhere", () => {
    expect(keysOf("package.json")).toContain("scripts");
    expect(keysOf("packages/a/package.json")).toContain("jest");
    expect(keysOf("pyproject.toml")).toContain("tool.pytest");
    expect(keysOf("a/Cargo.toml")).toContain("profile");
    expect(keysOf("src/a.json")).toEqual([]);
    expect(keysOf("constructor")).toEqual([]);
  });

  it("are added by the settings and given up by what they allow", () => {
    expect(keysOf("composer.json", { protect: ["composer.json#scripts,config"] })).toEqual(["scripts", "config"]);
    expect(keysOf("package.json", { allow: ["package.json"] })).toEqual([]);
  });
});
