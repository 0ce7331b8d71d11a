import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identitiesWith, scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { realClock } from "./real-clock.ts";
import { takeLockFile } from "./lock-file.ts";
import { createDisk } from "./disk.ts";

const disk = createDisk();

const deadPid = 4_000_000;

function order(path: string, waitMs = 0): Parameters<typeof takeLockFile>[0] {
  return { path, files: disk, identities: identitiesWith([deadPid]), clock: realClock, waitMs };
}

describe("a lock file", () => {
  it("is held by one at a time and names its owner", async () => {
    const path = join(scratchFolder(), "x.lock");
    const lock = await takeLockFile(order(path));
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid, startTime: "now" });
    expect(await takeLockFile(order(path))).toBeNull();
    lock?.release();
    expect(existsSync(path)).toBe(false);
    expect(await takeLockFile(order(path))).not.toBeNull();
  });

  it("is waited for", async () => {
    const path = join(scratchFolder(), "x.lock");
    const lock = await takeLockFile(order(path));
    const waiting = takeLockFile(order(path, 20_000));
    lock?.release();
    expect(await waiting).not.toBeNull();
  });

  it("of a dead owner is taken over by exactly one of many", async () => {
    const folder = scratchFolder();
    const path = join(folder, "x.lock");
    writeFileSync(path, JSON.stringify({ pid: deadPid, startTime: "then", host: hostname() }));
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeLockFile(order(path))));
    expect(taken.filter((lock) => lock !== null)).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(["x.lock"]);
  });

  it("of another host is respected, whoever lives here", async () => {
    const path = join(scratchFolder(), "x.lock");
    writeFileSync(path, JSON.stringify({ pid: deadPid, startTime: "then", host: "elsewhere" }));
    expect(await takeLockFile(order(path))).toBeNull();
  });

  it("names the PID namespace of its owner and asks for the life of just that process", async () => {
    const path = join(scratchFolder(), "x.lock");
    const asked: unknown[] = [];
    const self = { pid: process.pid, startTime: "now", namespace: "pid:[1]" };
    const identities = {
      self: () => Promise.resolve(self),
      isAlive: (owner: object) => asked.push(owner) > 0,
    };
    expect(await takeLockFile({ ...order(path), identities })).not.toBeNull();
    expect(await takeLockFile({ ...order(path), identities })).toBeNull();
    expect(asked).toEqual([{ ...self, host: hostname() }]);
  });

  it("that cannot be read is being written, unless it is old", async () => {
    const path = join(scratchFolder(), "x.lock");
    writeFileSync(path, "");
    expect(await takeLockFile(order(path))).toBeNull();
    utimesSync(path, new Date(0), new Date(0));
    expect(await takeLockFile(order(path))).not.toBeNull();
  });

  it("is not removed by who lost it meanwhile", async () => {
    const path = join(scratchFolder(), "x.lock");
    const lock = await takeLockFile(order(path));
    writeFileSync(path, "somebody else's");
    lock?.release();
    expect(readFileSync(path, "utf8")).toBe("somebody else's");
  });
});
