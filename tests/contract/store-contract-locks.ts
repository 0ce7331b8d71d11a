import { expect, it } from "vitest";
import type { NewRun, Owner } from "../../src/shell/ports.ts";
import { leaseMs } from "../../src/shell/stores/lease-rule.ts";
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
  sampleState,
  sampleStep,
  start,
  takeRun,
} from "./store-samples.ts";

/** Who may drive a run: locks, take-over, fencing and release. */
export function describeLocks(fresh: FreshStore): void {
  it("creates a run and takes its directory at once, and gives it back as it was", async () => {
    const store = await fresh();
    const run = sampleRun("a");
    const taken = await createRun(store, run, ada, everyoneLives);
    const record = { ...run, epoch: 1, owner: ada, expiresAt: start + leaseMs, updatedAt: start };
    const whole = { ...record, endedAt: null, outcome: null };
    expect(taken).toEqual({ isTaken: true, epoch: 1, record: whole });
    expect(await store.find("a")).toEqual([whole]);
  });

  it("refuses a second runner in one directory while the first lives, names it and stores nothing (R-24)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    const second = await createRun(store, sampleRun("b"), bob, everyoneLives);
    expect(second).toMatchObject({ isTaken: false, holder: { id: "a", owner: ada } });
    expect(await store.find("b")).toEqual([]);
  });

  it("refuses a second driver of the same process too (R-24)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    expect(await createRun(store, sampleRun("b"), ada, everyoneLives)).toMatchObject({ isTaken: false });
    expect(await takeRun(store, "a", ada, everyoneLives)).toMatchObject({ isTaken: false });
  });

  it("asks about exactly the recorded process, start time and host (R-24)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    const asked: Owner[] = [];
    await createRun(store, sampleRun("b"), bob, (owner) => {
      asked.push(owner);
      return true;
    });
    expect(asked).toEqual([ada]);
  });

  it("takes over the lock of a dead driver and fences its run (R-24)", async () => {
    const store = await fresh();
    const first = await epochOf(createRun(store, sampleRun("a"), ada, everyoneLives));
    expect(await createRun(store, sampleRun("b"), bob, nobodyLives)).toMatchObject({ isTaken: true, epoch: 1 });
    expect(await only(store, "a")).toMatchObject({ owner: null });
    await expect(store.commit(sampleStep("a", first, 1))).rejects.toMatchObject({ code: "lost-lock" });
    await store.commit(sampleStep("b", 1, 1));
  });

  it("does not mix up directories", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    const other = sampleRun("b", { directory: "/project/sub" });
    expect(await createRun(store, other, bob, everyoneLives)).toMatchObject({ isTaken: true });
  });

  it("refuses an id that is already there and changes neither run", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    const twin = sampleRun("a", { directory: "/other" });
    await expect(createRun(store, twin, bob, everyoneLives)).rejects.toMatchObject({ code: "store" });
    expect(await only(store, "a")).toMatchObject({ directory: "/project", owner: ada });
  });

  it("lets a run drive its own children in its directory, one at a time, and nobody else's", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("work", { kind: "work" }), ada, everyoneLives);
    expect(await createRun(store, child("one"), bob, everyoneLives)).toMatchObject({ isTaken: false });
    expect(await createRun(store, child("one"), ada, everyoneLives)).toMatchObject({ isTaken: true });
    expect(await createRun(store, child("two"), ada, everyoneLives)).toMatchObject({ holder: { id: "one" } });
    await store.release("one", 1);
    expect(await createRun(store, child("two"), ada, everyoneLives)).toMatchObject({ isTaken: true });
    expect(await only(store, "work")).toMatchObject({ owner: ada, epoch: 1 });
  });

  it("takes a run whose driver died under a new epoch, with its last state; a zombie's write fails (R-44)", async () => {
    const store = await fresh();
    const first = await epochOf(createRun(store, sampleRun("a"), ada, everyoneLives));
    await store.commit(sampleStep("a", first, 3));
    const taken = await takeRun(store, "a", bob, nobodyLives);
    expect(taken).toMatchObject({ isTaken: true, record: { owner: bob, state: sampleState(3) } });
    const second = await epochOf(taken);
    expect(second).toBeGreaterThan(first);
    await expect(store.commit(sampleStep("a", first, 4))).rejects.toMatchObject({ code: "lost-lock" });
    expect((await only(store, "a")).state.iteration).toBe(3);
    expect(await store.readJournal("a", 0, 10)).toHaveLength(1);
    await store.commit(sampleStep("a", second, 4));
  });

  it("removes the locks of dead role runs in other directories with those of their work, and no living one's (R-44)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("work"), ada, everyoneLives);
    const dead = await epochOf(createRun(store, { ...child("dead"), directory: "/tree/1" }, ada, everyoneLives));
    await createRun(store, { ...child("living"), directory: "/tree/2" }, bob, everyoneLives);
    await takeRun(store, "work", { ...bob, pid: 103 }, (owner) => owner.pid === bob.pid);
    expect([(await only(store, "dead")).owner, (await only(store, "living")).owner]).toEqual([null, bob]);
    await expect(store.commit(sampleStep("dead", dead, 1))).rejects.toMatchObject({ code: "lost-lock" });
  });

  it("does not let anybody take a run, or its directory, from a living driver (R-24)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.release("a", 1);
    await createRun(store, sampleRun("b"), bob, everyoneLives);
    expect(await takeRun(store, "b", ada, everyoneLives)).toMatchObject({
      isTaken: false,
      holder: { id: "b", owner: bob },
    });
    expect(await takeRun(store, "a", ada, everyoneLives)).toMatchObject({ isTaken: false, holder: { id: "b" } });
    expect(await only(store, "a")).toMatchObject({ owner: null, epoch: 1 });
  });

  it("rejects taking a run that is not there", async () => {
    const store = await fresh();
    await expect(takeRun(store, "a", ada, nobodyLives)).rejects.toMatchObject({ code: "not-found" });
  });

  it("frees the directory on release, however often it is called", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.release("a", 1);
    await store.release("a", 1);
    expect(await only(store, "a")).toMatchObject({ owner: null });
    expect(await createRun(store, sampleRun("b"), bob, everyoneLives)).toMatchObject({ isTaken: true });
  });

  it("lets only the owner release: a former driver's release changes nothing (R-25)", async () => {
    const store = await fresh();
    const first = await epochOf(createRun(store, sampleRun("a"), ada, everyoneLives));
    await takeRun(store, "a", bob, nobodyLives);
    await store.release("a", first);
    expect(await only(store, "a")).toMatchObject({ owner: bob });
    expect(await createRun(store, sampleRun("b"), ada, everyoneLives)).toMatchObject({ isTaken: false });
  });
}

function child(id: string): NewRun {
  return sampleRun(id, { parentId: "work" });
}
