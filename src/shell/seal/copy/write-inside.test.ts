import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeInside, writeInside } from "./write-inside.ts";

/** A copy whose folder `test` is a link to a folder beside it. */
function openLinked(): { copy: string; elsewhere: string } {
  const root = mkdtempSync(join(tmpdir(), "ralph-inside-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [copy, elsewhere] = [join(root, "copy"), join(root, "elsewhere")];
  mkdirSync(copy);
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(copy, "test"));
  return { copy, elsewhere };
}

it("makes nothing through a link that a candidate has put in the way", () => {
  const { copy, elsewhere } = openLinked();
  makeInside(copy, "test/out");
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(lstatSync(join(copy, "test/out")).isDirectory()).toBe(true);
});

it("writes nothing through such a link", () => {
  const { copy, elsewhere } = openLinked();
  writeInside(copy, "test/a.txt", "a", "replace");
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(existsSync(join(copy, "test/a.txt"))).toBe(true);
});

it.each(["../x", "a//b", ".git/hooks", "a/./b"])("refuses %s", (path) => {
  const { copy } = openLinked();
  expect(() => makeInside(copy, path)).toThrow("is not a path inside of the project");
  expect(() => writeInside(copy, path, "", "new")).toThrow("is not a path inside of the project");
});
