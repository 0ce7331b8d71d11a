import { expect, it } from "vitest";
import { leaseMs } from "../../src/shell/stores/lease-rule.ts";
import type { Owner } from "../../src/shell/ports.ts";
import type { FreshStore } from "./store-contract.ts";
import {
  ada,
  bob,
  createRun,
  epochOf,
  everyoneLives,
  nobodyLives,
  only,
  sampleRun,
  sampleStep,
  start,
  takeRun,
} from "./store-samples.ts";

/** How long somebody may drive a run: leases, their end and their renewal. */
export function describeLeases(fresh: FreshStore): void {
  it("dates the end of a lease by its own clock, when it is taken and whenever it is renewed (R-24)", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    expect(await only(store, "a")).toMatchObject({ owner: ada, epoch: 1, expiresAt: start + leaseMs });
    clock.now = start + 10_000;
    await store.renew({ runId: "a", epoch: 1 });
    expect(await only(store, "a")).toMatchObject({ owner: ada, epoch: 1, expiresAt: start + 10_000 + leaseMs });
    clock.now = start + 20_000;
    expect(await takeRun(store, "a", bob, nobodyLives)).toMatchObject({
      record: { owner: bob, expiresAt: start + 20_000 + leaseMs },
    });
  });

  it("renews a lease whose time has passed, for nobody took it: a machine that slept goes on (R-44)", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    clock.now = start + 3_600_000;
    await store.renew({ runId: "a", epoch: 1 });
    expect((await only(store, "a")).expiresAt).toBe(clock.now + leaseMs);
    await store.commit(sampleStep("a", 1, 1));
  });

  it("refuses to renew a lease that passed on, and leaves the new one as it is (R-44)", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    const first = await epochOf(createRun(store, sampleRun("a"), ada, everyoneLives));
    await takeRun(store, "a", bob, nobodyLives);
    clock.now = start + 10_000;
    await expect(store.renew({ runId: "a", epoch: first })).rejects.toMatchObject({ code: "lost-lock" });
    expect(await only(store, "a")).toMatchObject({ owner: bob, expiresAt: start + leaseMs });
  });

  it("refuses to renew a lease that was removed with its directory, or given up, or is of no run (R-44)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await createRun(store, sampleRun("b"), bob, nobodyLives);
    await expect(store.renew({ runId: "a", epoch: 1 })).rejects.toMatchObject({ code: "lost-lock" });
    await store.release("b", 1);
    await expect(store.renew({ runId: "b", epoch: 1 })).rejects.toMatchObject({ code: "lost-lock" });
    expect(await only(store, "b")).toMatchObject({ owner: null, expiresAt: null });
    await expect(store.renew({ runId: "c", epoch: 1 })).rejects.toMatchObject({ code: "not-found" });
  });

  it("names the leases it does not know the drivers of, and changes nothing (R-24)", async () => {
    const store = await fresh();
    await store.create(sampleRun("a"), ada, []);
    const lease = { runId: "a", owner: ada, epoch: 1, expiresAt: start + leaseMs };
    const unknown = { isTaken: false, holder: { id: "a", owner: ada }, unknown: [lease] };
    expect(await store.create(sampleRun("b"), bob, [])).toMatchObject(unknown);
    expect(await store.take("a", bob, [])).toMatchObject(unknown);
    expect(await store.find("b")).toEqual([]);
    await store.commit(sampleStep("a", 1, 1));
  });

  it("applies an answer to the driver and the epoch it is about, and to no other (R-24, R-44)", async () => {
    const store = await fresh();
    await store.create(sampleRun("a"), ada, []);
    const dead = { runId: "a", owner: ada, epoch: 1, isAlive: false };
    const epoch = await epochOf(store.take("a", ada, [dead]));
    for (const answer of [dead, { ...dead, epoch, owner: bob }, { ...dead, epoch, runId: "b" }])
      expect(await store.take("a", bob, [answer])).toMatchObject({ isTaken: false, unknown: [{ epoch }] });
    expect(await only(store, "a")).toMatchObject({ owner: ada, epoch });
  });

  it("names unknown drivers of children in other directories too, before it takes their parent (R-44)", async () => {
    const store = await fresh();
    const epoch = await epochOf(store.create(sampleRun("work"), ada, []));
    await store.create(sampleRun("child", { parentId: "work", directory: "/tree" }), ada, []);
    await store.release("work", epoch);
    const refused = await store.take("work", bob, []);
    expect(refused).toMatchObject({ isTaken: false, holder: { id: "child" }, unknown: [{ runId: "child" }] });
    expect(await only(store, "work")).toMatchObject({ owner: null, epoch });
  });

  it("lets time alone end the lease of a driver on another host, and fences that driver (R-24, R-44)", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    await store.create(sampleRun("a"), far, []);
    clock.now = start + leaseMs - 1;
    const dead = { runId: "a", owner: far, epoch: 1, isAlive: false };
    expect(await store.take("a", ada, [dead])).toMatchObject({ isTaken: false, unknown: [], holder: { owner: far } });
    expect(await store.create(sampleRun("b"), ada, [])).toMatchObject({ isTaken: false, unknown: [] });
    clock.now = start + leaseMs;
    expect(await store.take("a", ada, [])).toMatchObject({ isTaken: true, record: { owner: ada } });
    await expect(store.commit(sampleStep("a", 1, 1))).rejects.toMatchObject({ code: "lost-lock" });
    await expect(store.renew({ runId: "a", epoch: 1 })).rejects.toMatchObject({ code: "lost-lock" });
  });

  it("never lets time end the lease of a driver on the same host (R-24)", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    await store.create(sampleRun("a"), ada, []);
    clock.now = start + 1000 * leaseMs;
    expect(await store.take("a", bob, [])).toMatchObject({ isTaken: false, unknown: [{ runId: "a" }] });
    expect(await takeRun(store, "a", bob, everyoneLives)).toMatchObject({ isTaken: false, unknown: [] });
    expect(await takeRun(store, "a", bob, nobodyLives)).toMatchObject({ isTaken: true });
  });
}

/** A driver on another machine. */
const far: Owner = { ...ada, host: "there" };
