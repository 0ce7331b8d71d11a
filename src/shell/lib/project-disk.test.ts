import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { createDisk } from "./disk.ts";
import type { Disk } from "../ports.ts";
import { createProjectDisk, requireOwnFolder } from "./project-disk.ts";

/** A project beside somebody's files; `link` puts a link to them in place of a path of the project. */
function open() {
  const root = realpathSync(scratchFolder());
  const [project, outside] = [join(root, "project"), join(root, "outside")];
  for (const folder of [project, outside, join(project, ".ralph")]) mkdirSync(folder);
  writeFileSync(join(outside, "precious"), "precious");
  const link = (path: string): void => {
    if (existsSync(path)) renameSync(path, `${path}.moved`);
    symlinkSync(outside, path);
  };
  return { project, outside, link, disk: createProjectDisk(createDisk(), project) };
}

const writes: [string, (disk: Disk, path: string) => Promise<unknown>][] = [
  ["a file", (disk, path) => disk.writeAtomic(path, "ours")],
  ["a new file", async (disk, path) => disk.createOnce(path, "ours")],
  ["the end of a file", async (disk, path) => disk.open(path, "append")],
  ["a removal", async (disk, path) => disk.remove(path)],
  ["a new name", async (disk, path) => disk.rename(path, `${path}.new`)],
];

describe.each([".ralph", ".ralph/logs", ""])("with a link in place of the project's folder '%s'", (name) => {
  it.each(writes)("writes %s of ours nowhere (R-99)", async (_, write) => {
    const { project, outside, link, disk } = open();
    link(join(project, name));
    const path = join(project, name === "" ? ".ralph" : name, "precious");
    await expect(write(disk, path)).rejects.toThrow("not a folder: nothing is written through it.");
    expect(readdirSync(outside)).toEqual(["precious"]);
    expect(readFileSync(join(outside, "precious"), "utf8")).toBe("precious");
  });
});

describe("the disk of a project", () => {
  it("drops a log that would go through a link, and says why (R-99)", async () => {
    const { project, outside, link, disk } = open();
    link(join(project, ".ralph"));
    const log = disk.openLog(join(project, ".ralph", "a.log"), 100);
    void log.write(Buffer.from("abc"));
    expect(await log.close()).toMatchObject({ bytes: 3, droppedBytes: 3, problem: expect.stringContaining("a link") });
    expect(readdirSync(outside)).toEqual(["precious"]);
  });

  it("writes into folders and outside of the project as before", async () => {
    const { project, outside, disk } = open();
    await disk.writeAtomic(join(project, ".ralph", "a"), "1");
    symlinkSync(outside, `${outside}-link`);
    await disk.writeAtomic(join(`${outside}-link`, "a"), "2");
    expect([readFileSync(join(project, ".ralph", "a"), "utf8"), readFileSync(join(outside, "a"), "utf8")]).toEqual([
      "1",
      "2",
    ]);
  });

  it("is refused before a run when .ralph is a link, and not when it is missing", () => {
    const { project, link, disk } = open();
    expect(() => requireOwnFolder(disk, project)).not.toThrow();
    link(join(project, ".ralph"));
    expect(() => requireOwnFolder(disk, project)).toThrow(`${join(project, ".ralph")} is a link`);
  });
});
