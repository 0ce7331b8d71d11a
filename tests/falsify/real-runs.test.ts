import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { falsifyFile } from "../../src/core/verification/falsify/falsify-file.ts";
import { patient } from "../patience.ts";
import { cFiles, nodeFiles, pythonFiles, rustFiles, shellFiles, type Project } from "./honest-projects.ts";

let scratch = "";

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "ralph-falsify-"));
});

afterEach(() => {
  rmSync(scratch, { recursive: true, force: true });
});

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** The project is green as it is; with false expectations it is red, valid, and each changed test fails by name. */
function check({ files, tests, syntax, run, red, probed }: Project): void {
  for (const [path, text] of Object.entries(files)) write(path, text);
  const honest = start(run);
  expect(honest).toMatchObject({ status: 0 });
  const names: string[] = [];
  for (const path of tests) {
    const falsified = falsifyFile(path, files[path] ?? "");
    write(path, falsified?.text ?? "");
    names.push(...(falsified?.blocks ?? []).filter(({ spotCount }) => spotCount > 0).map(({ name }) => name));
    expect(start([...syntax, path])).toMatchObject({ status: 0 });
  }
  const { status, output } = start(run);
  expect(status).not.toBe(0);
  expect(names).toHaveLength(probed);
  for (const name of names) expect(output).toMatch(red(name));
}

function start(argv: readonly string[]): { status: number | null; output: string } {
  const [program = "", ...more] = argv;
  const { status, stdout, stderr } = spawnSync(program, more, {
    cwd: scratch,
    encoding: "utf8",
    timeout: patient(60_000),
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", PYTHONDONTWRITEBYTECODE: "1" },
  });
  return { status, output: `${stdout}\n${stderr}` };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(scratch, path)), { recursive: true });
  writeFileSync(join(scratch, path), text);
}

describe("an honest suite with false expectations is red, test by test, and no file is broken", () => {
  it("is seen to fail by name with node:test", () => {
    check(nodeFiles);
  });

  it.skipIf(!has("python3"))("is seen to fail by name with unittest of Python", () => {
    check(pythonFiles);
  });

  it("is seen to fail by name with a shell script", () => {
    check(shellFiles);
  });

  it.skipIf(!has("gcc"))("is seen to fail by name with assertions in C", () => {
    check(cFiles);
  });

  it.skipIf(!has("rustc"))("is seen to fail by name with tests in Rust", () => {
    check(rustFiles);
  });
});
