import { appendFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { post, scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { readAll, readArchivedTail, readSince, readTail } from "./read-bus.ts";
import { createDisk } from "../lib/disk.ts";

const reading = { files: createDisk() };

async function busWith(bodies: readonly string[], rotateBytes?: number): Promise<{ path: string; ids: string[] }> {
  const path = join(scratchFolder(), "MESSAGE-BUS.md");
  const ids: string[] = [];
  for (const body of bodies) ids.push((await post(path, body, rotateBytes)).id);
  return { path, ids };
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

describe("the tail of a bus", () => {
  it.each([1, 20, 999, 1000, 5000])("of %i messages is the end of the whole", async (count) => {
    const { path } = await busWith(numbered(1000));
    expect(readTail(path, count, reading).map(({ body }) => body)).toEqual(numbered(1000).slice(-count));
  });

  it("is found behind a body longer than the first window", async () => {
    const { path } = await busWith(["first", "x".repeat(300_000), "last"]);
    expect(readTail(path, 3, reading).map(({ body }) => body.length)).toEqual([5, 300_000, 4]);
  });

  it("goes on into what was put aside, and counts only what is wanted", async () => {
    const { path } = await busWith(numbered(30), 1000);
    expect(readTail(path, 25, reading).map(({ body }) => body)).toEqual(numbered(30).slice(-25));
    expect(
      readTail(path, 2, { ...reading, isWanted: ({ body }) => body.endsWith("7") }).map(({ body }) => body),
    ).toEqual(["17", "27"]);
  });

  it("numbers lines of the old form as the whole does", async () => {
    const { path } = await busWith(["x".repeat(200_000)]);
    appendFileSync(path, "[2026-02-03 04:05:06] INFO: old\n");
    await post(path, "last");
    expect(readTail(path, 2, reading)).toEqual(readAll(path, reading).slice(-2));
  });

  it("is empty for none wanted and for no bus at all", async () => {
    const { path } = await busWith(["a"]);
    expect(readTail(path, 0, reading)).toEqual([]);
    expect(readArchivedTail([], 3, reading)).toEqual([]);
    rmSync(path);
    expect(readTail(path, 3, reading)).toEqual([]);
    expect(readAll(path, reading)).toEqual([]);
  });
});

describe("the messages since another one", () => {
  it("are those after it, also when it was put aside meanwhile (R-93)", async () => {
    const { path, ids } = await busWith(numbered(30), 1000);
    for (const index of [0, 13, 28, 29])
      expect(readSince(path, ids[index] ?? "", reading).map(({ id }) => id)).toEqual(ids.slice(index + 1));
  });

  it("are an error of its own when nobody has that message", async () => {
    const { path } = await busWith(["a"]);
    expect(() => readSince(path, "MSG-nobody", reading)).toThrow(expect.objectContaining({ code: "unknown-message" }));
  });
});

describe("the whole of a bus", () => {
  it("is there in the moment between putting aside and beginning anew (R-93)", async () => {
    const { path } = await busWith(["a", "b"]);
    renameSync(path, `${path}.20260102-030405678.archived`);
    expect(readAll(path, reading).map(({ body }) => body)).toEqual(["a", "b"]);
  });

  it("has archives of other stamps in their order, and nothing else beside it", async () => {
    const { path } = await busWith(["a"]);
    renameSync(path, `${path}.20260102T030405Z.archived`);
    await post(path, "b");
    renameSync(path, `${path}.20260102-030405001.archived`);
    await post(path, "c");
    symlinkSync(path, `${path}.20260101-000000000.archived`);
    appendFileSync(`${path}.old.archived`, "[2026-02-03 04:05:06] INFO: no\n");
    expect(readAll(path, reading).map(({ body }) => body)).toEqual(["a", "b", "c"]);
  });
});
