import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { createSharedFiles } from "./shared-files.ts";

const files = createSharedFiles();

it("looks at what stands there, not at where it leads", () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "file"), "four");
  symlinkSync("file", join(folder, "link"));
  mkdirSync(join(folder, "folder"));
  expect(files.look(join(folder, "file"))).toMatchObject({ kind: "file", bytes: 4 });
  expect(files.look(join(folder, "link"))).toMatchObject({ kind: "other" });
  expect(files.look(join(folder, "folder"))).toMatchObject({ kind: "folder" });
  expect(files.look(join(folder, "none"))).toBeNull();
  const kinds = files.list(folder)?.map(({ name, kind }) => `${name} ${kind}`);
  expect(kinds?.toSorted()).toEqual(["file file", "folder folder", "link other"]);
  expect(files.list(join(folder, "none"))).toBeNull();
});

it("makes a file once, with its folders, and leaves what is there, a dangling link too", () => {
  const folder = scratchFolder();
  const path = join(folder, "deep", "lock");
  expect([files.createOnce(path, "mine"), files.createOnce(path, "yours")]).toEqual([true, false]);
  expect(readFileSync(path, "utf8")).toBe("mine");
  symlinkSync(join(folder, "elsewhere"), join(folder, "link"));
  expect(files.createOnce(join(folder, "link"), "x")).toBe(false);
  expect(existsSync(join(folder, "elsewhere"))).toBe(false);
});

it("appends to the end of a file that stays the same after a rename", () => {
  const folder = scratchFolder();
  const [path, moved] = [join(folder, "bus"), join(folder, "moved")];
  const file = files.open(path, "append");
  file?.append(Buffer.from("one"));
  files.rename(path, moved);
  file?.append(Buffer.from(" two"));
  expect(file?.size()).toBe(7);
  file?.close();
  expect(readFileSync(moved, "utf8")).toBe("one two");
  expect(files.look(moved)?.identity).toBe(file?.entry.identity);
  expect(files.open(path, "read")).toBeNull();
});

it("removes a file or a link, never a folder", () => {
  const folder = scratchFolder();
  symlinkSync(folder, join(folder, "link"));
  files.remove(join(folder, "link"));
  files.remove(join(folder, "link"));
  expect(files.look(join(folder, "link"))).toBeNull();
  expect(() => files.remove(folder)).toThrow(/EISDIR|directory/);
});
