import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const checkout = join(import.meta.dirname, "../..");
let scratch = "";
let project = "";

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "ralph-fault-runner-"));
  project = join(scratch, "project");
  mkdirSync(join(scratch, "temp"));
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(join(project, "tests/faults"), { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "package.json"), `{ "type": "module" }`);
  writeFileSync(
    join(project, "src/double.ts"),
    "export function double(value: number): number {\n  return value * 2;\n}\nexport const unused = 1;\n",
  );
  writeFileSync(join(project, "src/double.test.ts"), testFile);
});

afterEach(() => {
  rmSync(scratch, { recursive: true, force: true });
});

it("accepts a fault that turns a naming test red, and names every other kind", async () => {
  plant("001-caught.json", { breaks: "R-06", find: "value * 2", replace: "value * 3" });
  plant("002-in-range.json", { breaks: "R-43", find: "value * 2", replace: "value + 2" });
  plant("003-stays-green.json", { breaks: "R-06", find: "unused = 1", replace: "unused = 2" });
  plant("004-not-there.json", { breaks: "R-06", find: "value * 9", replace: "value" });
  plant("005-no-test.json", { breaks: "R-99", find: "value * 2", replace: "value" });
  plant("006-does-not-load.json", { breaks: "R-06", find: "value * 2", replace: "value * (" });
  plant("007-red-anyway.json", { breaks: "R-50", find: "value * 2", replace: "value" });
  const { code, lines } = await runFaults([]);
  expect(lines.filter((line) => line.startsWith("caught")).toSorted()).toEqual([
    "caught  001-caught.json (R-06)",
    "caught  002-in-range.json (R-43)",
  ]);
  const failures = lines.filter((line) => line.startsWith("FAILED")).join("\n");
  expect(failures).toContain("003-stays-green.json (R-06): stayed green: doubles a number (R-06)");
  expect(failures).toContain(`004-not-there.json: "find" occurs 0 times`);
  expect(failures).toContain("005-no-test.json (R-99): no green test names it");
  expect(failures).toContain("006-does-not-load.json (R-06): a test file does not load");
  expect(failures).toContain("src/double.test.ts > is red anyway (R-50): red without any fault");
  expect(failures).toContain("007-red-anyway.json (R-50): no green test names it");
  expect(lines.at(-1)).toBe("2 passed, 6 failed, 0 skipped");
  expect(code).toBe(1);
});

it("is green when every chosen fault is caught, and leaves no copy behind", async () => {
  plant("001-caught.json", { breaks: "R-06", find: "value * 2", replace: "value * 3" });
  plant("002-stays-green.json", { breaks: "R-06", find: "unused = 1", replace: "unused = 2" });
  const { code, lines } = await runFaults(["001", "--jobs", "1"]);
  expect(lines).toEqual(["caught  001-caught.json (R-06)", "1 passed, 0 failed, 0 skipped"]);
  expect(code).toBe(0);
  expect(readdirSync(join(scratch, "temp")).filter((name) => name.startsWith("ralph-fault-"))).toEqual([]);
});

it("ends the tests of a fault that never end and counts it as not caught", async () => {
  plant("001-endless.json", { breaks: "R-06", find: "return value * 2;", replace: "for (;;) value += 1;" });
  const { code, lines } = await runFaults(["--timeout", "5"]);
  expect(lines.at(0)).toContain("did not end within 5 s");
  expect(code).toBe(1);
});

it("bundles only for a fault that no unit test catches, and only when its tests use the bundle", async () => {
  writeFileSync(join(project, "vitest.config.ts"), twoProjects);
  mkdirSync(join(project, "scripts"));
  writeFileSync(join(project, "scripts/build.js"), buildScript);
  writeFileSync(join(project, "tests/built.test.ts"), builtTest);
  writeFileSync(join(project, "tests/source.test.ts"), sourceTest);
  plant("001-unit.json", { breaks: "R-06", find: "value * 2", replace: "value * 3" });
  plant("002-built.json", { breaks: "R-70", find: "value * 2", replace: "value * 3" });
  plant("003-source.json", { breaks: "R-71", find: "value * 2", replace: "value * 3" });
  const { code, lines } = await runFaults(["--jobs", "1"]);
  expect(lines).toEqual([
    "caught  001-unit.json (R-06)",
    "caught  003-source.json (R-71)",
    "caught  002-built.json (R-70)",
    "3 passed, 0 failed, 0 skipped",
  ]);
  expect(code).toBe(0);
  expect(readFileSync(join(scratch, "temp/builds"), "utf8")).toBe("built\n");
});

it("fails when there is no fault at all", async () => {
  const { code, lines } = await runFaults([]);
  expect(lines).toEqual(["0 passed, 0 failed, 0 skipped"]);
  expect(code).toBe(1);
});

const testFile = `
import { expect, it } from "vitest";
import { double } from "./double.ts";
it("doubles a number (R-06)", () => expect(double(4)).toBe(8));
it("doubles a list of cases (R-42..45)", () => expect(double(3)).toBe(6));
it("is red anyway (R-50)", () => expect(double(1)).toBe(5));
it("is red with every fault but names another thing (R-060)", () => expect(double(1)).toBe(2));
`;

const twoProjects = `
export default { test: { projects: [
  { test: { name: "unit", include: ["src/**/*.test.ts"], isolate: false } },
  { test: { name: "suites", include: ["tests/**/*.test.ts"], sequence: { groupOrder: 1 } } },
] } };
`;

const buildScript = `
import { appendFileSync, cpSync } from "node:fs";
import { tmpdir } from "node:os";
cpSync("src/double.ts", "dist/double.ts");
appendFileSync(tmpdir() + "/builds", "built\\n");
`;

const sourceTest = `
import { expect, it } from "vitest";
import { double } from "../src/double.ts";
it("doubles a number in a suite (R-06, R-71)", () => expect(double(4)).toBe(8));
`;

const builtTest = `
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
it("doubles a number in the bundle (R-06, R-70)", () => {
  const isBuilt = existsSync("dist/double.ts");
  expect(isBuilt && readFileSync("dist/double.ts", "utf8").includes("value * 3")).toBe(false);
});
`;

function plant(name: string, fields: { breaks: string; find: string; replace: string }): void {
  writeFileSync(join(project, "tests/faults", name), JSON.stringify({ file: "src/double.ts", ...fields }));
}

function runFaults(args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, [join(checkout, "scripts/test-faults.js"), "--root", project, ...args], {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: join(scratch, "temp") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, lines: stdout.trim().split("\n") }));
  });
}
