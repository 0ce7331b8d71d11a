import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDisk } from "./disk.ts";
import { writeOwnIgnoreFile } from "./keep-out-of-git.ts";
import { makerTag } from "./maker-tag.ts";

it("removes what a process left beside the ignore file that was killed while it wrote it (R-44)", async () => {
  const project = mkdtempSync(join(tmpdir(), "ralph-ignore-"));
  onTestFinished(() => rmSync(project, { recursive: true }));
  const folder = join(project, ".ralph");
  mkdirSync(folder);
  const dead = makerTag().replace(/^\d+/, String(spawnSync("true").pid));
  const living = `..gitignore.${makerTag()}-x.tmp`;
  for (const name of [".gitignore", `..gitignore.${dead}-x.tmp`, living]) writeFileSync(join(folder, name), "");
  await writeOwnIgnoreFile(createDisk(), project);
  expect(readdirSync(folder).toSorted()).toEqual([living, ".gitignore"]);
});
