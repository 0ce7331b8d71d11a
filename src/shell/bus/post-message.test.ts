import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identitiesWith, post, scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { realClock } from "../lib/real-clock.ts";
import { listArchives } from "./archives.ts";
import { postMessage } from "./post-message.ts";
import { readAll } from "./read-bus.ts";
import { createDisk } from "../lib/disk.ts";

const disk = createDisk();
const reading = { files: disk };

const dead = 4_000_000;

describe("posting a message", () => {
  it("makes the bus, and begins each entry with a newline that ends what stands before it (R-92)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    const first = await post(path, "one");
    writeFileSync(path, "---\nhalf an ent", { flag: "a" });
    const second = await post(path, "two");
    expect(readAll(path, reading)).toEqual([first, second]);
    expect(readFileSync(path, "utf8").startsWith("\n---\nmsg_id: MSG-")).toBe(true);
  });

  it("refuses a symbolic link, also a dangling one, and writes nothing through it", async () => {
    const folder = scratchFolder();
    const [target, link] = [join(folder, "target.md"), join(folder, "MESSAGE-BUS.md")];
    symlinkSync(target, link);
    await expect(post(link, "x")).rejects.toMatchObject({
      code: "bus",
      message: expect.stringContaining("symbolic link"),
    });
    writeFileSync(target, "");
    await expect(post(link, "x")).rejects.toMatchObject({ code: "bus" });
    expect(() => readAll(link, reading)).toThrow("symbolic link");
    expect(readFileSync(target, "utf8")).toBe("");
  });

  it.skipIf(process.platform === "win32")("refuses a folder and a pipe without waiting for a reader", async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "folder"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const name of ["folder", "pipe"])
      await expect(post(join(folder, name), "x")).rejects.toMatchObject({
        message: expect.stringContaining("regular"),
      });
    await expect(post(join(folder, "none", "x.md"), "x")).rejects.toMatchObject({ code: "bus" });
  });

  it("refuses an empty type, an empty project and a body no reader takes", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    const writing = { files: disk, clock: realClock, identities: identitiesWith() };
    const draft = { type: "INFO", projectId: "shop", body: "" };
    await expect(postMessage(path, { ...draft, type: " " }, writing)).rejects.toMatchObject({ code: "usage" });
    await expect(postMessage(path, { ...draft, projectId: "" }, writing)).rejects.toMatchObject({ code: "usage" });
    await expect(post(path, "x".repeat(17 * 1024 * 1024))).rejects.toMatchObject({ code: "bus" });
    expect(existsSync(path)).toBe(false);
  });

  it("gives rising ids, also with a clock that stands still (R-94)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    const writing = { files: disk, clock: { ...realClock, now: () => 1_000 }, identities: identitiesWith() };
    const ids: string[] = [];
    for (let number = 0; number < 300; number += 1)
      ids.push((await postMessage(path, { type: "INFO", projectId: "p", body: "" }, writing)).id);
    expect(new Set(ids).size).toBe(300);
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe("a bus that grew too long", () => {
  it("is put aside under a stamp and begun anew; the stamps rise whatever the clock does (R-93)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    let now = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
    const writing = {
      files: disk,
      clock: { ...realClock, now: () => (now -= 1000) },
      identities: identitiesWith(),
      rotateBytes: 100,
    };
    for (const body of ["a", "b", "c"]) await postMessage(path, { type: "INFO", projectId: "p", body }, writing);
    const archives = listArchives(path, disk);
    expect(archives).toHaveLength(2);
    expect(archives[0]).toMatch(/MESSAGE-BUS\.md\.20260102-030\d{6}\.archived$/);
    expect(readAll(path, reading).map(({ body }) => body)).toEqual(["a", "b", "c"]);
  });

  it("is not put aside twice while another process is at it; the message still gets there", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    await post(path, "a");
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: 1, startTime: "x", host: hostname() }));
    await post(path, "b", 1);
    expect(listArchives(path, disk)).toEqual([]);
    expect(readAll(path, reading).map(({ body }) => body)).toEqual(["a", "b"]);
  });

  it("is put aside also after a process died at it", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    await post(path, "a");
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: dead, startTime: "x", host: hostname() }));
    const writing = { files: disk, clock: realClock, identities: identitiesWith([dead]), rotateBytes: 1 };
    await postMessage(path, { type: "INFO", projectId: "p", body: "b" }, writing);
    expect(listArchives(path, disk)).toHaveLength(1);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });
});
