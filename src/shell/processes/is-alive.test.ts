import { describe, expect, it } from "vitest";
import { isAlive, isElsewhere, type Namespaces } from "./is-alive.ts";
import type { TableRow } from "./process-table.ts";

const here = "pid:[1]";
const turn = "pid:[2]";

/** What the machine shows: processes with the tick of their start and their PID namespace. */
type Shown = { pid: number; startedAt: number; namespace: string; isZombie?: boolean };

function check(
  shown: readonly Shown[],
  owner: { pid: number; startedAt: number; namespace?: string; boot?: string },
  { isInsideTurn = false, own = here } = {},
): boolean {
  const rows = shown.map(({ pid, startedAt, isZombie = false }): TableRow => ({
    pid,
    parentPid: 1,
    groupId: pid,
    sessionId: pid,
    startTime: `boot:${startedAt}`,
    startedAt,
    isZombie,
  }));
  const table = {
    readOne: (pid: number) => rows.find((row) => row.pid === pid) ?? null,
    readAll: () => rows,
    startedAtOf: (startTime: string) => (startTime.startsWith("boot:") ? Number(startTime.slice(5)) : null),
  };
  const namespaces: Namespaces = {
    own,
    of: (pid) => shown.find((each) => each.pid === pid)?.namespace ?? null,
    isInsideTurn: () => isInsideTurn,
  };
  const { pid, startedAt, namespace, boot = "boot" } = owner;
  const identity = { pid, startTime: `${boot}:${startedAt}`, ...(namespace === undefined ? {} : { namespace }) };
  return isAlive(table, identity, namespaces);
}

describe("the owner of a lock", () => {
  const inside = { pid: 7, startedAt: 50, namespace: turn };

  it("of our own namespace is known by pid and start time", () => {
    const shown = [{ pid: 70, startedAt: 50, namespace: here }];
    expect(check(shown, { pid: 70, startedAt: 50, namespace: here })).toBe(true);
    expect(check(shown, { pid: 70, startedAt: 51, namespace: here })).toBe(false);
    expect(check(shown, { pid: 70, startedAt: 50 })).toBe(true);
  });

  it("of another namespace lives while its turn lives, whatever our own processes are called", () => {
    const turnProcess = { pid: 400, startedAt: 40, namespace: turn };
    const namesake = { pid: 7, startedAt: 50, namespace: here };
    expect(check([turnProcess], inside)).toBe(true);
    expect(check([namesake], inside)).toBe(false);
    expect(check([{ ...turnProcess, isZombie: true }], inside)).toBe(false);
  });

  it("is dead when a younger namespace has the same name, or the machine was started again", () => {
    expect(check([{ pid: 900, startedAt: 60, namespace: turn }], inside)).toBe(false);
    expect(check([{ pid: 400, startedAt: 40, namespace: turn }], { ...inside, boot: "former" })).toBe(false);
  });

  it("counts as alive where a turn cannot see it", () => {
    const driver = { pid: 70, startedAt: 30, namespace: here };
    expect(check([], driver, { own: turn, isInsideTurn: true })).toBe(true);
    expect(check([], { ...driver, boot: "former" }, { own: turn, isInsideTurn: true })).toBe(false);
  });

  it("is elsewhere only where both namespaces are known", () => {
    const identity = { pid: 7, startTime: "boot:50" };
    expect(isElsewhere({ ...identity, namespace: turn }, { own: here })).toBe(true);
    expect(isElsewhere({ ...identity, namespace: here }, { own: here })).toBe(false);
    expect(isElsewhere(identity, { own: here })).toBe(false);
    expect(isElsewhere({ ...identity, namespace: turn }, { own: null })).toBe(false);
  });
});
