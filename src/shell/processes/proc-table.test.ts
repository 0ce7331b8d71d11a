import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { bornSince, createProcTable, parseStat } from "./proc-table.ts";

const statOf = (name: string, state: string, threads: number): string =>
  `41 (${name}) ${state} 7 40 39 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 ${threads} 0 98765 1000 2 18446744073709551615`;

it("reads pid, parent, group, session and start time", () => {
  expect(parseStat(statOf("node", "S", 3), "boot")).toEqual({
    pid: 41,
    parentPid: 7,
    groupId: 40,
    sessionId: 39,
    startTime: "boot:98765",
    startedAt: 98_765,
    isZombie: false,
  });
});

it("is not misled by blanks and brackets in a program's name", () => {
  expect(parseStat(statOf("a) Z 1 (b", "R", 1), "boot")).toMatchObject({ parentPid: 7, isZombie: false });
});

it("calls an ended process a zombie, but not one whose other threads still run", () => {
  expect(parseStat(statOf("x", "Z", 1), "boot")).toMatchObject({ isZombie: true });
  expect(parseStat(statOf("x", "Z", 2), "boot")).toMatchObject({ isZombie: false });
});

it("gives nothing for a line that is no stat line", () => {
  expect(parseStat("", "boot")).toBeNull();
  expect(parseStat("12 (x) S", "boot")).toBeNull();
});

it.skipIf(process.platform !== "linux")("finds this process and reads back its start", () => {
  const table = createProcTable();
  const own = table.readOne(process.pid);
  expect(table.readAll(null)).toContainEqual(own);
  expect(own?.parentPid).toBe(process.ppid);
  expect(table.startedAtOf(own?.startTime ?? "")).toBe(own?.startedAt);
  expect(table.startedAtOf("another-boot:5")).toBeNull();
  expect(table.startedAtOf("nonsense")).toBeNull();
  expect(table.readOne(2 ** 30)).toBeNull();
});

it.each([
  ["takes those between the last pid of then and that of now", 110, [101, 110]],
  ["takes those at both ends when the pids began anew", 20, [5, 20, 101, 110, 111, 5000]],
])("%s", (_, lastPid, expected) => {
  const isBorn = bornSince({ count: 1, lastPid: 100 }, { count: 50, lastPid }, 5000);
  expect([5, 20, 21, 99, 100, 101, 110, 111, 5000].filter(isBorn)).toEqual(expected);
});

it("takes everyone when the pids may have gone all around, or nobody can tell", () => {
  const then = { count: 1, lastPid: 100 };
  expect(bornSince(then, { count: 1252, lastPid: 110 }, 5000)(7)).toBe(true);
  expect(bornSince(then, null, 5000)(7)).toBe(true);
  expect(bornSince(null, then, 5000)(7)).toBe(true);
  expect(bornSince(then, { count: 2, lastPid: 110 }, Number.NaN)(7)).toBe(true);
});

it.skipIf(process.platform !== "linux")("sees a process that was born since a moment, and its birth", () => {
  const table = createProcTable();
  const before = table.births();
  const child = spawn("sleep", ["60"]);
  try {
    expect(table.readAll(before).map((row) => row.pid)).toContain(child.pid);
    expect(table.births()?.count).toBeGreaterThan(before?.count ?? Number.MAX_SAFE_INTEGER);
  } finally {
    child.kill("SIGKILL");
  }
});
