import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makePassingFolder } from "./passing-folder.ts";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-passing-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder as another process would have made it; of another place when its name says so. */
function madeBy(pid: number, parent: string, place?: string): string {
  const own = makePassingFolder("git", scratch());
  const name = basename(own).replace(`-${process.pid}.`, `-${pid}.`);
  const path = join(parent, place === undefined ? name : name.replace(/\.[0-9a-f]+-/, `.${place}-`));
  renameSync(own, path);
  return path;
}

function deadPid(): number {
  return spawnSync("true").pid;
}

it("removes what a killed process left in the temporary directory, and nothing of others (R-44)", () => {
  const parent = scratch();
  const dead = madeBy(deadPid(), parent);
  const [living, elsewhere] = [madeBy(process.pid, parent), madeBy(deadPid(), parent, "00000000")];
  const own = makePassingFolder("pipes", parent);
  expect([dead, living, elsewhere, own].map((path) => existsSync(path))).toEqual([false, true, true, true]);
  expect(readdirSync(parent)).toHaveLength(3);
});
