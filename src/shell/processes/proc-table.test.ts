import { expect, it } from "vitest";
import { createProcTable, parseStat } from "./proc-table.ts";

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
  expect(table.readAll()).toContainEqual(own);
  expect(own?.parentPid).toBe(process.ppid);
  expect(table.startedAtOf(own?.startTime ?? "")).toBe(own?.startedAt);
  expect(table.startedAtOf("another-boot:5")).toBeNull();
  expect(table.startedAtOf("nonsense")).toBeNull();
  expect(table.readOne(2 ** 30)).toBeNull();
});
