import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What the launcher and the program itself print for these words, for a user with or without a store of an earlier version. */
function check(words: string[], { hasStore }: { hasStore: boolean }): void {
  const [launched, program] = ["bin/ralph.js", "dist/cli/main.cjs"].map((file) => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-help-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const state = join(folder, "state");
    mkdirSync(state);
    if (hasStore) writeFileSync(join(state, "ralph.db"), "");
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, RALPH_STATE_HOME: state };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, file), ...words], {
      env,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  });
  expect(launched).toEqual(program);
  expect(launched?.stdout).toContain("Usage: ralph");
  expect(launched?.stderr !== "").toBe(hasStore);
}

it.each(["--help", "-h"])("the help that the build wrote down is what the program prints: %s", (flag) => {
  check([flag], { hasStore: false });
  check([flag], { hasStore: true });
});

it("help of a command comes from the program", () => {
  check(["run", "--help"], { hasStore: false });
  check(["--help", "run"], { hasStore: false });
});
