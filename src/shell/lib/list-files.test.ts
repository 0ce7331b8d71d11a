import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listFiles } from "./list-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-list-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("lists files of every depth, enters no skipped folder and follows no link", async () => {
  for (const path of ["a/b/c", "a/node_modules/d"]) mkdirSync(join(folder, path), { recursive: true });
  for (const path of ["1", "a/2", "a/b/c/3", "a/node_modules/4", "a/node_modules/d/5"])
    writeFileSync(join(folder, path), "");
  symlinkSync(folder, join(folder, "a", "loop"));
  const found = await listFiles(folder, new Set(["node_modules"]));
  expect(found.map((path) => relative(folder, path)).toSorted()).toEqual(["1", "a/2", "a/b/c/3"]);
});

it("finds nothing in a folder that is not there", async () => {
  expect(await listFiles(join(folder, "none"), new Set())).toEqual([]);
});
