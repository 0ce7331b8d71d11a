import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { createDisk } from "./disk.ts";
import { makerTag } from "./maker-tag.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-disk-"));
afterAll(() => rmSync(folder, { recursive: true }));
const disk = createDisk();

it("reads a text, gives null for a missing file and rejects on any other fault", async () => {
  const path = join(folder, "text");
  writeFileSync(path, "é\n");
  expect(await disk.readText(path)).toBe("é\n");
  expect(await disk.readText(join(folder, "missing"))).toBeNull();
  await expect(disk.readText(folder)).rejects.toThrow("is a folder, not a regular file");
});

it("writes a file whole, with its parent folders, and leaves nothing beside it", async () => {
  const path = join(folder, "deep", "er", "file.json");
  await disk.writeAtomic(path, "old");
  await disk.writeAtomic(path, Buffer.from("new"));
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readdirSync(join(folder, "deep", "er"))).toEqual(["file.json"]);
});

it("waits for the disk twice, for the content and for its name, unless that is not asked for", async () => {
  const file = await open(folder, "r");
  const sync = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, "sync");
  await file.close();
  try {
    await disk.writeAtomic(join(folder, "synced"), "whole");
    expect(sync).toHaveBeenCalledTimes(2);
    await disk.writeAtomic(join(folder, "unsynced"), "whole", 0o600, "unsynced");
    expect(sync).toHaveBeenCalledTimes(2);
    expect(readFileSync(join(folder, "unsynced"), "utf8")).toBe("whole");
  } finally {
    sync.mockRestore();
  }
});

it("removes what a process left that was killed while it wrote, and nothing else (R-44)", async () => {
  const place = join(folder, "left");
  const dead = makerTag().replace(/^\d+/, String(spawnSync("true").pid));
  mkdirSync(join(place, `.folder.${dead}-x.tmp`), { recursive: true });
  const others = [`.file.${makerTag()}-x.tmp`, `.file.${dead}x-x.tmp`, `file.${dead}-x.tmp`];
  for (const name of [`.file.${dead}-x.tmp`, ...others]) writeFileSync(join(place, name), "half");
  await disk.writeAtomic(join(place, "other"), "whole");
  expect(readdirSync(place).toSorted()).toEqual([...others, `.folder.${dead}-x.tmp`, "other"].toSorted());
});

it("keeps one of many contents written at once", async () => {
  const path = join(folder, "contended");
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
  await Promise.all(contents.map((content) => disk.writeAtomic(path, content)));
  expect(contents).toContain(readFileSync(path, "utf8"));
});

it("rejects when it cannot write, leaving what was there and no temporary file", async () => {
  const path = join(folder, "occupied");
  mkdirSync(join(path, "inside"), { recursive: true });
  const before = readdirSync(folder);
  await expect(disk.writeAtomic(path, "x")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder)).toEqual(before);
});

it("reads an empty log where there is none", async () => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of disk.readLog(join(folder, "no-log"))) chunks.push(chunk);
  expect(chunks).toEqual([]);
});
