import { chmodSync, mkdirSync, mkdtempSync, writeFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProgram } from "./find-program.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-find-"));
  for (const [name, mode] of [
    ["tool", 0o755],
    ["text", 0o644],
  ] as const) {
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), mode);
  }
  mkdirSync(join(folder, "box"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function check(command: string, found: string | null): Promise<void> {
  const path = await findProgram(command, { env: { PATH: `relative:/no/such/folder:${folder}` }, directory: folder });
  expect(path).toBe(found === null ? null : join(folder, found));
}

describe("finding a program", () => {
  it("looks through the path", () => check("tool", "tool"));

  it("takes a command with a slash from the directory", () => check("./tool", "tool"));

  it.each(["none", "text", "box", "./text"])("finds no program in %s", (command) => check(command, null));
});
