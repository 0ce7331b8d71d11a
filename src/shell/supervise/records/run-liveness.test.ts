import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runningRun } from "../../../../tests/bus/scratch-task.ts";
import type { SupervisedRun } from "../../../core/supervise/run-record.ts";
import type { TableRow } from "../../processes/process-table.ts";
import { createLivenessWorld, isRunAlive, type LivenessWorld, processFacts } from "./run-liveness.ts";

const row: TableRow = {
  pid: 500,
  parentPid: 1,
  groupId: 500,
  sessionId: 500,
  startTime: "boot:9",
  startedAt: 9,
  isZombie: false,
};

function worldOf(rows: readonly TableRow[], given: Partial<LivenessWorld> = {}): LivenessWorld {
  return {
    table: { readAll: () => [...rows], readOne: (pid) => rows.find((each) => each.pid === pid) ?? null },
    askGroup: () => (rows.length > 0 ? "there" : "gone"),
    startedAtMs: () => 100_000,
    isOurs: () => true,
    ...given,
  };
}

const run = runningRun("r", { pid: 500, pgid: 500, processStart: "boot:9", startedAt: 100_000 });

describe("a run's process group", () => {
  it.each<[string, boolean, Partial<SupervisedRun>, LivenessWorld]>([
    ["is alive with its own leader", true, {}, worldOf([row])],
    ["is dead when the kernel knows no such group", false, {}, worldOf([])],
    ["is alive when it is another user's (EPERM)", true, {}, worldOf([], { askGroup: () => "denied" })],
    ["is dead when only zombies are left", false, {}, worldOf([{ ...row, isZombie: true }])],
    ["is dead when its pid was given out again", false, {}, worldOf([{ ...row, startTime: "boot:99" }])],
    ["is alive when its leader is gone and others are left", true, {}, worldOf([{ ...row, pid: 501 }])],
    ["is dead when who registered it in a foreign group is gone", false, { pid: 499 }, worldOf([row])],
    ["is alive by its start time in a record of another tool", true, { processStart: null }, worldOf([row])],
    [
      "is alive when it began long before the record, as who registers a child does",
      true,
      { processStart: null, startedAt: 900_000 },
      worldOf([row]),
    ],
    [
      "is dead when it began long after the record",
      false,
      { processStart: null, startedAt: 100_000 },
      worldOf([row], { startedAtMs: () => 111_000 }),
    ],
    ["is never everybody's", false, { pgid: -1 }, worldOf([row], { askGroup: () => "there" })],
    ["is never our own for a missing number", false, { pgid: 0 }, worldOf([row], { askGroup: () => "there" })],
    ["is never that of init", false, { pgid: 1 }, worldOf([row], { askGroup: () => "there" })],
  ])("%s (R-97)", (_, isAlive, fields, world) => {
    expect(isRunAlive({ ...run, ...fields }, world)).toBe(isAlive);
  });

  it.skipIf(process.platform === "win32")("of a real process lives and dies with it (R-97)", async () => {
    const world = createLivenessWorld();
    const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    const own = runningRun("r", processFacts(pid));
    expect(own).toMatchObject({ pid, pgid: pid });
    expect(isRunAlive(own, world)).toBe(true);
    expect(isRunAlive({ ...own, processStart: null }, world)).toBe(true);
    expect(isRunAlive({ ...own, processStart: null, startedAt: Date.now() - 3_600_000 }, world)).toBe(false);
    child.kill("SIGKILL");
    await once(child, "exit");
    await vi.waitFor(() => expect(isRunAlive(own, world)).toBe(false), { timeout: 10_000 });
  });

  it("of this very process is known, so that a child can be registered before its agent starts (R-95)", () => {
    expect(isRunAlive(runningRun("r", processFacts(process.pid)), createLivenessWorld())).toBe(true);
  });
});
