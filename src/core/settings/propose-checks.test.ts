import { describe, expect, it } from "vitest";
import { proposeChecks, type TelltaleFiles } from "./propose-checks.ts";

function scripts(value: Record<string, string>, more: object = {}): string {
  return JSON.stringify({ name: "x", scripts: value, ...more });
}

describe("the checks of a repository", () => {
  it.each<[string, TelltaleFiles, string[]]>([
    ["nothing", {}, []],
    [
      "package scripts",
      {
        "package.json": scripts({
          build: "tsc",
          test: "vitest run",
          lint: "oxlint",
          typecheck: "tsc",
          start: "node .",
        }),
      },
      ["npm test", "npm run lint", "npm run typecheck", "npm run build"],
    ],
    [
      "a script that only stands for one",
      { "package.json": scripts({ test: 'echo "Error: no test specified" && exit 1' }) },
      [],
    ],
    ["a script that never ends", { "package.json": scripts({ test: "jest --watch" }) }, []],
    ["pnpm by its lock", { "package.json": scripts({ check: "x" }), "pnpm-lock.yaml": "" }, ["pnpm run check"]],
    ["yarn by its lock", { "package.json": scripts({ test: "x" }), "yarn.lock": "" }, ["yarn test"]],
    [
      "the named manager",
      { "package.json": scripts({ test: "x" }, { packageManager: "bun@1.2.0" }) },
      ["bun run test"],
    ],
    ["a manifest that is no JSON", { "package.json": "{" }, []],
    [
      "targets of a Makefile",
      { Makefile: "CC := gcc\ntest = x\n.PHONY: lint\nall: test\ntest check: build\n\tgo test\nlint:: x\n" },
      ["make test", "make check", "make lint"],
    ],
    ["no target that is a variable", { Makefile: "test := 1\ncheck:=2\n" }, []],
    ["cargo", { "Cargo.toml": "[package]" }, ["cargo test", "cargo clippy -- -D warnings"]],
    ["go", { "go.mod": "module x" }, ["go test ./...", "go vet ./..."]],
    ["python", { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n" }, ["pytest", "ruff check ."]],
    ["python by setup.cfg", { "setup.cfg": "[tool:pytest]\n" }, ["pytest"]],
    ["python by tox.ini", { "tox.ini": "[testenv]\ncommands = pytest {posargs}\n" }, ["pytest"]],
    ["python by its requirements and uv", { "requirements-dev.txt": "pytest==8\n", "uv.lock": "" }, ["uv run pytest"]],
    ["python with nothing to run", { "pyproject.toml": "[project]\nname = 'x'\n" }, []],
    ["only what the Makefile does not do", { Makefile: "test:\n", "go.mod": "" }, ["make test", "go vet ./..."]],
    [
      "two languages side by side",
      { "package.json": scripts({ test: "x" }), "Cargo.toml": "" },
      ["npm test", "cargo test", "cargo clippy -- -D warnings"],
    ],
  ])("are found from %s", (_, files, expected) => expect(proposeChecks(files)).toEqual(expected));
});
