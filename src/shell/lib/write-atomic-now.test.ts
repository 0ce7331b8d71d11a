import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makerTag } from "./maker-tag.ts";
import { writeAtomicNow } from "./write-atomic-now.ts";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-atomic-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it("writes a file whole, for its user alone, with its parent folders", () => {
  const path = join(scratch(), "deep", "er", "file.json");
  for (const content of ["first", "second"]) writeAtomicNow(path, content);
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["second", 0o600]);
  expect(readdirSync(join(path, ".."))).toEqual(["file.json"]);
});

it("removes what a hook left that was killed while it wrote, and nothing of those that live (R-44)", () => {
  const folder = scratch();
  const dead = makerTag().replace(/^\d+/, String(spawnSync("true").pid));
  for (const tag of [dead, makerTag()]) writeFileSync(join(folder, `.file.json.${tag}-x.tmp`), "half");
  writeAtomicNow(join(folder, "other.json"), "whole");
  expect(readdirSync(folder).toSorted()).toEqual([`.file.json.${makerTag()}-x.tmp`, "other.json"]);
});

it("leaves the file as it was, and nothing beside it, when it cannot be written", () => {
  const folder = scratch();
  const path = join(folder, "file.json");
  writeAtomicNow(join(path, "inside"), "a folder stands in its place");
  expect(() => writeAtomicNow(path, "never")).toThrow("EISDIR");
  expect(readdirSync(folder)).toEqual(["file.json"]);
});
