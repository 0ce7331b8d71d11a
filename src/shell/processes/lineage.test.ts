import { expect, it } from "vitest";
import { readLineage } from "./lineage.ts";
import type { TableRow } from "./process-table.ts";

function rowOf(pid: number, parentPid: number): TableRow {
  return { pid, parentPid, groupId: pid, sessionId: pid, startTime: `b:${pid}`, startedAt: pid, isZombie: false };
}

function pidsFrom(from: number, rows: TableRow[]): number[] {
  const table = { readOne: (pid: number) => rows.find((row) => row.pid === pid) ?? null };
  return readLineage(table, () => [], from).map(({ pid }) => pid);
}

it("goes from a process through its parents to the first one", () => {
  expect(pidsFrom(30, [rowOf(30, 20), rowOf(20, 1), rowOf(1, 0), rowOf(40, 20)])).toEqual([30, 20, 1]);
});

it("ends where a parent does not show, and never goes in a circle", () => {
  expect(pidsFrom(30, [rowOf(30, 20)])).toEqual([30]);
  expect(pidsFrom(30, [rowOf(30, 20), rowOf(20, 30)])).toEqual([30, 20]);
});

it("reads this very process with what it was started with", () => {
  const [self, parent] = readLineage();
  expect(self?.pid).toBe(process.pid);
  expect(parent?.pid).toBe(process.ppid);
  expect(self?.environment).toContain(`PATH=${process.env["PATH"]}`);
});
