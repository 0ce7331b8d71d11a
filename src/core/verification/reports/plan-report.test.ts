import { describe, expect, it } from "vitest";
import { planReport } from "./plan-report.ts";

const F = "/r/report-1";
const files =
  (contents: Record<string, string>) =>
  (path: string): string | null =>
    contents[path] ?? null;

/** The plan as lines: runner and format, command, variables, source. */
function outline(command: string, contents: Record<string, string> = {}): string {
  const plan = planReport({ command, files: files(contents), file: F });
  if (plan === null) return "none";
  const { command: planned, variables, source } = plan.how;
  const places = {
    files: "paths" in source && source.paths.join("+"),
    stream: "stream" in source && source.stream,
    folders: "folders",
  };
  return [
    `${plan.runner} ${plan.format}`,
    planned,
    ...Object.entries(variables).map((pair) => pair.join("=")),
    places[source.kind],
  ].join(" | ");
}

const scripts = (named: Record<string, string>): Record<string, string> => ({
  "package.json": JSON.stringify({ scripts: named }),
});
const vitestAdded = `--reporter=default --reporter=json --outputFile.json=${F}`;
const nodeOptions = `NODE_OPTIONS=--test-reporter=junit --test-reporter-destination=${F} --test-reporter=tap --test-reporter-destination=${F}.tap --test-reporter=spec --test-reporter-destination=stdout`;
const pytestOptions = `PYTEST_ADDOPTS=--junitxml=${F} -o junit_family=xunit1`;

describe("a check that names its runner", () => {
  const check = (command: string, expected: string): void => expect(outline(command)).toBe(expected);

  it.each([
    ["node --test", `node-test node-test | node --test | ${nodeOptions} | ${F}+${F}.tap`],
    ["npx vitest run", `vitest json | npx vitest run ${vitestAdded} | ${F}`],
    ["npx --yes jest --ci", `jest json | npx --yes jest --ci --json --outputFile=${F} | ${F}`],
    ["tsc && mocha", `mocha json | tsc && mocha --reporter json --reporter-option output=${F} | ${F}`],
    [
      "pnpm exec playwright test",
      `playwright json | pnpm exec playwright test --reporter=list,json | PLAYWRIGHT_JSON_OUTPUT_NAME=${F} | ${F}`,
    ],
    [
      "node node_modules/vitest/vitest.mjs run",
      `vitest json | node node_modules/vitest/vitest.mjs run ${vitestAdded} | ${F}`,
    ],
    ["pytest -q && ruff check", `pytest junit | pytest -q && ruff check | ${pytestOptions} | ${F}`],
    ["python3 -m pytest tests", `pytest junit | python3 -m pytest tests | ${pytestOptions} | ${F}`],
    ["uv run pytest", `pytest junit | uv run pytest | ${pytestOptions} | ${F}`],
    [".venv/bin/python3.12 -m unittest", "unittest unittest | .venv/bin/python3.12 -m unittest -v | stderr"],
    ["python -m unittest discover -v", "unittest unittest | python -m unittest discover -v | stderr"],
    ["go vet ./... && go test ./...", "go go | go vet ./... && go test -json ./... | stdout"],
    ["go test -json ./...", "go go | go test -json ./... | stdout"],
    ["cargo test --workspace", "cargo libtest | cargo test --workspace | both"],
    ["mvn -o -q test", "maven junit | mvn -o -q test | folders"],
    ["./gradlew :app:test", "gradle junit | ./gradlew :app:test | folders"],
    ["tape test/*.js", "tape tap | tape test/*.js | stdout"],
    ["npx ava", "ava tap | npx ava --tap | stdout"],
    ["CI=1 vitest", `vitest json | CI=1 vitest ${vitestAdded} | ${F}`],
  ])("%s: %s", (command, expected) => check(command, expected));

  it.each([
    "",
    "true",
    "sh test.sh",
    "eslint .",
    "node test.js",
    "mvn compile",
    "cargo build",
    "vitest run && jest",
    "vitest run && tsc",
    "vitest run | tee log",
    "pytest > log",
    "tape test/*.js | tap-spec",
    "cd sub && npm test",
    "pytest --junitxml=x.xml",
    "PYTEST_ADDOPTS=-x pytest",
    "NODE_OPTIONS=--no-warnings node --test",
    "node --test --test-reporter=dot",
    "cargo test -q",
    "cargo test -- --nocapture",
    "$RUNNER run",
    "vitest run &",
    "if true; then vitest run; fi",
    "npm test",
    "npm run missing",
    "make test",
    "vitest 'run",
  ])("%j has no report that can be asked for", (command) => check(command, "none"));
});

describe("a check that names a script", () => {
  const check = (command: string, named: Record<string, string>, expected: string): void =>
    expect(outline(command, scripts(named))).toBe(expected);

  it.each([
    ["npm test", { test: "vitest run" }, `vitest json | npm test -- ${vitestAdded} | ${F}`],
    ["npm run -s unit", { unit: "jest" }, `jest json | npm run -s unit -- --json --outputFile=${F} | ${F}`],
    ["npm test", { test: "npm run unit", unit: "vitest run" }, `vitest json | npm test -- -- ${vitestAdded} | ${F}`],
    ["npm test -- --run", { test: "vitest" }, `vitest json | npm test -- --run ${vitestAdded} | ${F}`],
    ["pnpm test", { test: "vitest run" }, `vitest json | pnpm test ${vitestAdded} | ${F}`],
    ["yarn run unit", { unit: "jest" }, `jest json | yarn run unit --json --outputFile=${F} | ${F}`],
    ["npm test", { test: "node --test" }, `node-test node-test | npm test | ${nodeOptions} | ${F}+${F}.tap`],
    [
      "npm t && npm run lint",
      { test: "node --test", lint: "eslint ." },
      `node-test node-test | npm t && npm run lint | ${nodeOptions} | ${F}+${F}.tap`,
    ],
    ["npm test", { test: "cross-env TZ=UTC vitest run" }, `vitest json | npm test -- ${vitestAdded} | ${F}`],
    ["npm test", { test: "c8 node --test" }, `node-test node-test | npm test | ${nodeOptions} | ${F}+${F}.tap`],
    ["npm test", { test: "go test ./..." }, "go go | npm test | GOFLAGS=-json | stdout"],
    ["npm test", { test: "vitest run && tsc" }, "none"],
    ["npm test", { test: "cross-env NODE_OPTIONS=-x node --test" }, "none"],
    ["npm test", { pretest: "node --test a", test: "node --test b" }, "none"],
    ["npm test", { test: "npm test" }, "none"],
    ["npm test --silly", { test: "vitest run" }, "none"],
  ])("%s with %j: %s", (command, named, expected) => check(command, named, expected));

  it("has none when its manifest cannot be read", () => {
    expect(outline("npm test", { "package.json": "{" })).toBe("none");
    expect(outline("npm test", { "package.json": "[]" })).toBe("none");
  });
});

describe("a check that names a target of make", () => {
  const check = (command: string, makefile: string, expected: string): void =>
    expect(outline(command, { Makefile: makefile, ...scripts({ test: "node --test" }) })).toBe(expected);

  it.each([
    ["make test", "test:\n\t@pytest -q\n", `pytest junit | make test | ${pytestOptions} | ${F}`],
    ["make", "PY := python3\nall: unit\n\nunit:\n\t$(PY) -m pytest\n", `pytest junit | make | ${pytestOptions} | ${F}`],
    ["make test", "test:\n\tnpm test\n", `node-test node-test | make test | ${nodeOptions} | ${F}+${F}.tap`],
    ["make test", "test:\n\tgo test ./...\n", "go go | make test | GOFLAGS=-json | stdout"],
    ["make test", "test:\n\tvitest run\n", "none"],
    ["make test", "test:\n\t$(MAKE) -C sub test\n", "none"],
    ["make -C sub test", "test:\n\tpytest\n", "none"],
    ["make other", "test:\n\tpytest\n", "none"],
  ])("%s with %j: %s", (command, makefile, expected) => check(command, makefile, expected));

  it("has none when go vet would run with the same variable", () => {
    check("make test", "test:\n\tgo vet ./...\n\tgo test ./...\n", "none");
  });
});

describe("the path of a report", () => {
  it("may have spaces", () => {
    const plan = (command: string): unknown => planReport({ command, files: files({}), file: "/r d/x" })?.how;
    expect(plan("vitest run")).toMatchObject({
      command: "vitest run --reporter=default --reporter=json '--outputFile.json=/r d/x'",
    });
    expect(plan("pytest")).toMatchObject({
      variables: { PYTEST_ADDOPTS: "'--junitxml=/r d/x' -o junit_family=xunit1" },
    });
    expect(plan("node --test")).toMatchObject({
      variables: { NODE_OPTIONS: expect.stringContaining('"--test-reporter-destination=/r d/x"') as string },
    });
  });
});
