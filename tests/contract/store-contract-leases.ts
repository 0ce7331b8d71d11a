import { expect, it } from "vitest";
import { leaseMs } from "../../src/shell/stores/lease-rule.ts";
import type { FreshStore } from "./store-contract.ts";
import { ada, bob, epochOf, everyoneLives, nobodyLives, only, sampleRun, sampleStep, start } from "./store-samples.ts";

/** How long somebody may drive a run: leases, their end and their renewal. */
export function describeLeases(fresh: FreshStore): void {
  it("dates the end of a lease by its own clock, when it is taken and whenever it is renewed (R-24)", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    await store.create(sampleRun("a"), ada, everyoneLives);
    expect(await only(store, "a")).toMatchObject({ owner: ada, epoch: 1, expiresAt: start + leaseMs });
    clock.now = start + 10_000;
    await store.renew({ runId: "a", epoch: 1 });
    expect(await only(store, "a")).toMatchObject({ owner: ada, epoch: 1, expiresAt: start + 10_000 + leaseMs });
    clock.now = start + 20_000;
    expect(await store.take("a", bob, nobodyLives)).toMatchObject({
      record: { owner: bob, expiresAt: start + 20_000 + leaseMs },
    });
  });

  it("renews a lease whose time has passed, for nobody took it: a machine that slept goes on (R-44)", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    await store.create(sampleRun("a"), ada, everyoneLives);
    clock.now = start + 3_600_000;
    await store.renew({ runId: "a", epoch: 1 });
    expect((await only(store, "a")).expiresAt).toBe(clock.now + leaseMs);
    await store.commit(sampleStep("a", 1, 1));
  });

  it("refuses to renew a lease that passed on, and leaves the new one as it is (R-44)", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    const first = await epochOf(store.create(sampleRun("a"), ada, everyoneLives));
    await store.take("a", bob, nobodyLives);
    clock.now = start + 10_000;
    await expect(store.renew({ runId: "a", epoch: first })).rejects.toMatchObject({ code: "lost-lock" });
    expect(await only(store, "a")).toMatchObject({ owner: bob, expiresAt: start + leaseMs });
  });

  it("refuses to renew a lease that was removed with its directory, or given up, or is of no run (R-44)", async () => {
    const store = await fresh();
    await store.create(sampleRun("a"), ada, everyoneLives);
    await store.create(sampleRun("b"), bob, nobodyLives);
    await expect(store.renew({ runId: "a", epoch: 1 })).rejects.toMatchObject({ code: "lost-lock" });
    await store.release("b", 1);
    await expect(store.renew({ runId: "b", epoch: 1 })).rejects.toMatchObject({ code: "lost-lock" });
    expect(await only(store, "b")).toMatchObject({ owner: null, expiresAt: null });
    await expect(store.renew({ runId: "c", epoch: 1 })).rejects.toMatchObject({ code: "not-found" });
  });
}
