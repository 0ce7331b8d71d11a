import * as fc from "fast-check";
import { expect, it } from "vitest";
import { takeLease } from "../../src/shell/drivers/take-lease.ts";
import type { Owner, Store } from "../../src/shell/ports.ts";
import { leaseMs } from "../../src/shell/stores/lease-rule.ts";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { sampleRun, sampleStep } from "../contract/store-samples.ts";
import { propertySeed } from "../property-seed.ts";

/** A driver: a process of one of two hosts. `epoch` is what it believes to hold. */
type Driver = { owner: Owner; isAlive: boolean; epoch: number | null; renewedAt: number };

/** What happens next, and to which of the drivers. */
type Move = { driver: number; act: "take" | "renew" | "commit" | "die" | "release" | "sleep"; ms: number };

const anyMove: fc.Arbitrary<Move> = fc.record({
  driver: fc.nat(3),
  act: fc.constantFrom("take", "take", "renew", "commit", "die", "release", "sleep"),
  ms: fc.constantFrom(0, 1000, 10_000, leaseMs - 1, leaseMs, leaseMs + 1, 3_600_000, -3_600_000),
});

/** Four drivers of two hosts, one run, and a clock that jumps in both directions. */
async function play(moves: readonly Move[]): Promise<void> {
  const clock = { now: 10 * 3_600_000 };
  const store = createMemoryStore({ now: () => clock.now });
  await store.create(sampleRun("a"), ownerOf(9), []);
  await store.release("a", 1);
  const drivers = [0, 1, 2, 3].map((index): Driver => ({
    owner: ownerOf(index),
    isAlive: true,
    epoch: null,
    renewedAt: 0,
  }));
  for (const { driver: index, act, ms } of moves) {
    const driver = drivers[index];
    if (driver === undefined) continue;
    if (act === "sleep") clock.now += ms;
    // A dead process is another one when it comes back: it holds nothing.
    else if (!driver.isAlive) Object.assign(driver, { ...ownProcess(driver), isAlive: true, epoch: null });
    else await perform(store, { driver, drivers, act, now: clock.now });
  }
}

type Scene = { driver: Driver; drivers: Driver[]; act: Exclude<Move["act"], "sleep">; now: number };

async function perform(store: Store, scene: Scene): Promise<void> {
  const { driver, act, now } = scene;
  if (act === "take") return take(store, scene);
  if (act === "die") {
    driver.isAlive = false;
    return;
  }
  if (driver.epoch === null) return;
  const lease = { runId: "a", epoch: driver.epoch };
  if (act === "release") {
    await store.release("a", driver.epoch);
    driver.epoch = null;
    return;
  }
  const isMine = await holds(store, driver);
  const done = await (act === "renew" ? store.renew(lease) : store.commit(sampleStep("a", driver.epoch, 1))).then(
    () => true,
    () => false,
  );
  expect(done, "a driver writes and renews exactly while it holds the run").toBe(isMine);
  if (done && act === "renew") driver.renewedAt = now;
  if (!done) driver.epoch = null;
}

async function take(store: Store, { driver, drivers, now }: Scene): Promise<void> {
  const [before] = await store.find("a");
  const holder = drivers.find(({ owner }) => isSame(owner, before?.owner ?? null)) ?? null;
  const taken = await takeLease({
    attempt: (answers) => store.take("a", driver.owner, answers),
    isOwnerAlive: async (owner) => {
      expect(owner.host, "only processes of this host are looked at").toBe(driver.owner.host);
      return drivers.some((each) => each.isAlive && isSame(each.owner, owner));
    },
  });
  const isHere = before?.owner?.host === driver.owner.host;
  const isFree = before?.owner === null || (isHere ? holder?.isAlive !== true : (before?.expiresAt ?? Infinity) <= now);
  expect(taken.isTaken, "the host's own process table decides, elsewhere the time").toBe(isFree);
  if (taken.isTaken) Object.assign(driver, { epoch: taken.epoch, renewedAt: now });
}

async function holds(store: Store, driver: Driver): Promise<boolean> {
  const [record] = await store.find("a");
  return record?.epoch === driver.epoch && isSame(driver.owner, record?.owner ?? null);
}

function ownerOf(index: number): Owner {
  return { pid: 100 + index, startTime: "1", host: index % 2 === 0 ? "one" : "two" };
}

function ownProcess({ owner }: Driver): Pick<Driver, "owner"> {
  return { owner: { ...owner, startTime: String(Number(owner.startTime) + 1) } };
}

function isSame(one: Owner, other: Owner | null): boolean {
  return one.pid === other?.pid && one.startTime === other.startTime && one.host === other.host;
}

it("lets one driver write at a time, whatever dies, sleeps, jumps or races (R-24, R-44)", async () => {
  const property = fc.asyncProperty(fc.array(anyMove, { maxLength: 40 }), play);
  await expect(fc.assert(property, { numRuns: 300, seed: propertySeed })).resolves.toBeUndefined();
});
