import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lstatIfThere, statIfThere } from "./stat-if-there.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-stat-"));
  writeFileSync(join(folder, "file"), "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each(["none", "none/below", "file/below"])("finds nothing at %s", (path) => {
  expect([statIfThere(join(folder, path)), lstatIfThere(join(folder, path))]).toEqual([null, null]);
});

it("follows a link, or tells of the link itself", () => {
  symlinkSync(join(folder, "file"), join(folder, "link"));
  expect(statIfThere(join(folder, "link"))?.isFile()).toBe(true);
  expect(lstatIfThere(join(folder, "link"))?.isSymbolicLink()).toBe(true);
});

it("throws when it cannot tell", () => {
  symlinkSync("loop", join(folder, "loop"));
  expect(() => statIfThere(join(folder, "loop"))).toThrow("ELOOP");
});
