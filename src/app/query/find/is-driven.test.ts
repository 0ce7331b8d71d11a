import { expect, it } from "vitest";
import { ada, createRun, everyoneLives, sampleRun, start } from "../../../../tests/contract/store-samples.ts";
import type { Owner, RunRecord } from "../../../shell/ports.ts";
import { leaseMs } from "../../../shell/stores/lease-rule.ts";
import { createMemoryStore } from "../../../shell/stores/memory/memory-store.ts";
import { drivenOf, isDriven } from "./is-driven.ts";

/** Looks at runs from the host "here"; the process of `ada` is the only living one. */
function machineAt(now: number) {
  const clock = { now: () => now, upMs: () => 0, wait: () => Promise.resolve(true) };
  const isOwnerAlive = async (owner: Owner): Promise<boolean> => {
    expect(owner.host, "a pid of another host means nothing here").toBe("here");
    return owner.pid === ada.pid;
  };
  return { host: "here", clock, isOwnerAlive };
}

/** A run that `owner` took at `start`. */
async function runOf(owner: Owner): Promise<RunRecord> {
  const taken = await createRun(createMemoryStore({ now: () => start }), sampleRun("a"), owner, everyoneLives);
  if (!taken.isTaken) throw new Error("not taken");
  return taken.record;
}

it.each([
  ["by a living process of this host, however old its lease is", ada, start + 1000 * leaseMs, true],
  ["not by a dead process of this host, though its lease has not ended", { ...ada, pid: 7 }, start, false],
  ["by a process of another host until its lease ends", { ...ada, host: "there" }, start + leaseMs - 1, true],
  ["not by a process of another host whose lease has ended", { ...ada, host: "there" }, start + leaseMs, false],
])("a run is driven %s (R-24)", async (_, owner, now, expected) => {
  const run = await runOf(owner);
  expect(await isDriven(machineAt(now), run)).toBe(expected);
  expect(await drivenOf(machineAt(now), [run])).toEqual(expected ? [run] : []);
});

it("a run without a driver, or with an outcome, is not driven", async () => {
  const run = await runOf(ada);
  expect(await isDriven(machineAt(start), { ...run, owner: null, expiresAt: null })).toBe(false);
  expect(await isDriven(machineAt(start), { ...run, outcome: { name: "completed", reason: "" } })).toBe(false);
});
