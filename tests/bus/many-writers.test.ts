import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { listArchives } from "../../src/shell/bus/archives.ts";
import { readAll, readTail } from "../../src/shell/bus/read-bus.ts";
import { follow, post, scratchFolder } from "./scratch-bus.ts";
import { allNumbers, numbersByWriter, runWriters, startWriter } from "./start-writers.ts";
import { createDisk } from "../../src/shell/lib/disk.ts";
import { patient } from "../patience.ts";

const disk = createDisk();
const reading = { files: disk };

describe("many writers at once", () => {
  it("lose nothing: 10 processes, 1 000 messages each, all there, unique, whole and in order per writer (R-90)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    await runWriters(10, { path, count: 1000 });
    const messages = readAll(path, reading);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(10_000);
    expect(sorted(numbersByWriter(messages))).toEqual(sorted(allNumbers(10, 1000)));
  });

  it("lose nothing across rotations, to a reader of everything and to one that follows (R-93)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    const following = follow(path, { tail: 0 });
    await runWriters(4, { path, count: 300, rotateBytes: 20_000 });
    expect(listArchives(path, disk).length).toBeGreaterThan(5);
    expect(sorted(numbersByWriter(readAll(path, reading)))).toEqual(sorted(allNumbers(4, 300)));
    await vi.waitFor(() => expect(following.seen.length).toBeGreaterThanOrEqual(1200), { timeout: patient(30_000) });
    expect(sorted(numbersByWriter(await following.stop()))).toEqual(sorted(allNumbers(4, 300)));
  });

  it("let a reader in between see whole messages only, and each former one again (R-93)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    const writers = [0, 1].map((index) => startWriter({ path, name: `w${index}`, count: 100, paddingBytes: 20_000 }));
    const state = { isDone: false };
    const ended = Promise.all(writers.map((writer) => writer.ended)).then(() => (state.isDone = true));
    let last: string[] = [];
    while (!state.isDone) {
      const messages = readAll(path, reading);
      const ids = messages.map(({ id }) => id);
      expect(ids.slice(0, last.length)).toEqual(last);
      expect(messages.every(({ body }) => body.endsWith("\n---\nmsg_id: x\n"))).toBe(true);
      last = ids;
      await new Promise(setImmediate);
    }
    await ended;
    expect(readAll(path, reading)).toHaveLength(200);
  });
});

describe("a writer killed while it writes", () => {
  it("harms nobody: what is delivered is whole, and later messages come through (R-92)", async () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    for (let round = 0; round < 5; round += 1) {
      const { child, ended } = startWriter({ path, name: `w${round}`, count: 1_000_000, paddingBytes: 4_000_000 });
      const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      await vi.waitFor(() => expect(statSync(path).size).toBeGreaterThan(before), {
        timeout: patient(30_000),
        interval: 1,
      });
      child.kill("SIGKILL");
      await ended;
      const after = await post(path, `after ${round}`);
      expect(readTail(path, 1, reading)).toEqual([after]);
    }
    const messages = readAll(path, reading);
    expect(messages.filter(({ body }) => body.startsWith("after"))).toHaveLength(5);
    const isWhole = ({ body }: { body: string }): boolean => body.startsWith("after") || body.length > 4_000_000;
    expect(messages.every(isWhole)).toBe(true);
  });
});

function sorted(numbers: Map<string, number[]>): [string, number[]][] {
  return [...numbers].toSorted(([first], [second]) => (first < second ? -1 : 1));
}
