import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { Store } from "../../src/shell/ports.ts";
import { checkChain } from "./check-chain.ts";
import type { FreshStore } from "./store-contract.ts";
import {
  ada,
  completed,
  createRun,
  day,
  endingStep,
  everyoneLives,
  sampleRun,
  sampleState,
  sampleStep,
  sampleText,
  start,
} from "./store-samples.ts";

/** Long texts by their hash. */
export function describeBlobs(fresh: FreshStore): void {
  it("keeps a blob under the SHA-256 of its text, once", async () => {
    const store = await fresh();
    const text = `zero \0 and ✔ and 😀 ${"long ".repeat(100_000)}`;
    const hash = await store.putBlob(text);
    expect(hash).toBe(createHash("sha256").update(text).digest("hex"));
    expect(await store.putBlob(text)).toBe(hash);
    expect(await store.getBlob(hash)).toBe(text);
    expect(await store.getBlob("0".repeat(64))).toBeNull();
    expect(await store.getBlob(await store.putBlob(""))).toBe("");
  });
}

/** Finding runs again. */
export function describeLists(fresh: FreshStore): void {
  it("finds a run by its whole id, else all runs with that beginning, else all with that part", async () => {
    const store = await fresh();
    for (const id of ["20261115-a", "20261115-ab", "20261116-c", "x_y%"])
      await createRun(store, sampleRun(id, { directory: id }), ada, everyoneLives);
    const find = async (part: string) => (await store.find(part)).map(({ id }) => id);
    expect(await find("20261115-a")).toEqual(["20261115-a"]);
    expect(await find("20261115-ab")).toEqual(["20261115-ab"]);
    expect(await find("20261115")).toEqual(["20261115-a", "20261115-ab"]);
    expect(await find("20261116")).toEqual(["20261116-c"]);
    expect(await find("x_")).toEqual(["x_y%"]);
    expect(await find("-c")).toEqual(["20261116-c"]);
    expect(await find("15-a")).toEqual(["20261115-a", "20261115-ab"]);
    expect(await find("_")).toEqual(["x_y%"]);
    expect(await find("%")).toEqual(["x_y%"]);
    expect(await find("y_")).toEqual([]);
    expect(await find("")).toEqual([]);
  });

  it("lists the newest first, of one directory or of all, as many as asked for", async () => {
    const store = await fresh();
    const rows = [
      { id: "b", directory: "/one", createdAt: start + 1 },
      { id: "a", directory: "/two", createdAt: start + 2 },
      { id: "c", directory: "/three", createdAt: start + 1 },
    ];
    for (const row of rows) await createRun(store, sampleRun(row.id, row), ada, everyoneLives);
    const list = async (directory: string | null, limit: number | null) =>
      (await store.list({ directory, limit })).map(({ id }) => id);
    expect(await list(null, null)).toEqual(["a", "c", "b"]);
    expect(await list(null, 2)).toEqual(["a", "c"]);
    expect(await list(null, 0)).toEqual([]);
    expect(await list("/one", null)).toEqual(["b"]);
    expect(await list("/one", 5)).toEqual(["b"]);
    expect(await list("/nowhere", null)).toEqual([]);
  });

  it("lists only the runs that a driver holds when asked for these", async () => {
    const store = await fresh();
    for (const id of ["a", "b"]) await createRun(store, sampleRun(id, { directory: `/${id}` }), ada, everyoneLives);
    await store.release("b", 1);
    const held = await store.list({ directory: null, limit: null, isHeld: true });
    expect(held.map(({ id }) => id)).toEqual(["a"]);
  });

  it("lists only the runs of one kind when asked for these", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a", { directory: "/a" }), ada, everyoneLives);
    await createRun(store, sampleRun("b", { directory: "/b", kind: "supervise" }), ada, everyoneLives);
    const found = await store.list({ directory: null, limit: null, kind: "supervise" });
    expect(found.map(({ id }) => id)).toEqual(["b"]);
  });

  it("lists the children of a run, wherever they work", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("work"), ada, everyoneLives);
    const child = { parentId: "work", createdAt: start + 1 };
    await createRun(store, sampleRun("a", { ...child, directory: "/tree" }), ada, everyoneLives);
    await createRun(store, sampleRun("b", { directory: "/other" }), ada, everyoneLives);
    const list = async (directory: string | null) =>
      (await store.list({ directory, limit: null, parentId: "work" })).map(({ id }) => id);
    expect([await list(null), await list("/tree"), await list("/other")]).toEqual([["a"], ["a"], []]);
    const tops = await store.list({ directory: null, limit: null, isTop: true });
    expect(tops.map(({ id }) => id).toSorted()).toEqual(["b", "work"]);
  });
}

/** What goes and what stays. */
export function describePrune(fresh: FreshStore): void {
  const roomy = { days: 30, bytesMax: 10 * 1024 ** 3 };

  it("removes ended runs older than the given days with all they had, and nothing else", async () => {
    const store = await fresh();
    await addEnded(store, "old", start);
    await addEnded(store, "young", start + 2 * day);
    await createRun(store, sampleRun("unended", { directory: "unended" }), ada, everyoneLives);
    await store.release("unended", 1);
    await createRun(store, sampleRun("held", { directory: "held" }), ada, everyoneLives);
    await store.commit(endingStep("held", 1, start));
    await store.note({ runId: "old", epoch: 1, at: start, level: "info", text: "x" });
    await store.ask("old", "cancel", start);
    await store.appendAgentEvents({ runId: "old", epoch: 1 }, [{ effectId: 1, at: start, event: sampleText("x") }]);
    expect(await store.prune(roomy, start + 31 * day)).toEqual(["old"]);
    expect(await store.find("old")).toEqual([]);
    expect(await store.readJournal("old", 0, 10)).toEqual([]);
    expect(await store.readAgentEvents("old", 0, 10)).toEqual([]);
    expect(await store.readRequests("old", 0)).toEqual([]);
    expect((await store.list({ directory: null, limit: null })).map(({ id }) => id).toSorted()).toEqual([
      "held",
      "unended",
      "young",
    ]);
    expect(await store.prune(roomy, start + 31 * day)).toEqual([]);
  });

  it("removes the oldest ended runs while the store is too large, and no more than needed", async () => {
    const store = await fresh();
    for (const [index, id] of ["one", "two", "three"].entries()) {
      await addEnded(store, id, start + index);
      await store.note({ runId: id, epoch: 1, at: start, level: "info", text: "x".repeat(1_000_000) });
    }
    expect(await store.prune({ days: 30, bytesMax: 2_500_000 }, start + day)).toEqual(["one"]);
    expect(await store.prune({ days: 30, bytesMax: 1 }, start + day)).toEqual(["two", "three"]);
  });

  it("keeps the children of a run that is still at work", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("work"), ada, everyoneLives);
    await createRun(store, sampleRun("child", { parentId: "work" }), ada, everyoneLives);
    await store.commit(endingStep("child", 1, start));
    await store.release("child", 1);
    expect(await store.prune({ days: 1, bytesMax: 1 }, start + 31 * day)).toEqual([]);
    await store.commit(endingStep("work", 1, start + 1));
    await store.release("work", 1);
    expect(await store.prune(roomy, start + 32 * day)).toEqual(["child", "work"]);
  });

  it("keeps a blob as long as a run refers to it, and a day for the run that is about to", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    const [shared, own, unused] = [
      await store.putBlob("shared"),
      await store.putBlob("own"),
      await store.putBlob("unused"),
    ];
    await addEnded(store, "old", start, [shared, own]);
    await addEnded(store, "young", start + 2 * day, [shared]);
    await store.prune(roomy, start + day - 1);
    expect(await store.getBlob(unused)).toBe("unused");
    clock.now = start + 31 * day;
    expect(await store.putBlob("again")).toHaveLength(64);
    expect(await store.prune(roomy, clock.now)).toEqual(["old"]);
    expect(await store.getBlob(unused)).toBeNull();
    expect(await store.getBlob(own)).toBeNull();
    expect(await store.getBlob(shared)).toBe("shared");
  });

  it("does not remove a blob that was put again just now", async () => {
    const clock = { now: start };
    const store = await fresh(clock);
    const hash = await store.putBlob("text");
    clock.now = start + 40 * day;
    await store.putBlob("text");
    await store.prune(roomy, clock.now);
    expect(await store.getBlob(hash)).toBe("text");
  });
}

async function addEnded(store: Store, id: string, at: number, blobs: string[] = []): Promise<void> {
  await createRun(store, sampleRun(id, { directory: id }), ada, everyoneLives);
  await store.commit(
    sampleStep(id, 1, 1, {
      at,
      state: { ...sampleState(1, completed), feedback: blobs.map((blob) => ({ kind: "answer", text: { blob } })) },
    }),
  );
  await store.release(id, 1);
}

/** Runs that were driven elsewhere. */
export function describeImports(fresh: FreshStore): void {
  const step = sampleStep("a", 1, 1);
  const news = [
    { at: start, kind: "note" as const, level: "info" as const, text: "It began elsewhere." },
    { at: step.at, kind: "step" as const, observation: step.observation, effects: step.effects },
  ];
  const ended = sampleRun("a", { kind: "session", state: { ...sampleRun("a").state, outcome: completed } });

  it("adds an ended run with its journal and takes no directory", async () => {
    const store = await fresh();
    await store.importRun(ended, news, start + 9);
    const [run] = await store.find("a");
    expect(run).toMatchObject({ outcome: completed, endedAt: start + 9, owner: null, kind: "session" });
    expect(await store.readJournal("a", 0, 10)).toMatchObject([{ seq: 1 }, { seq: 2, kind: "step" }]);
    expect(await checkChain(store, "a")).toMatchObject({ isIntact: true, entries: 2 });
    expect(await createRun(store, sampleRun("b"), ada, everyoneLives)).toMatchObject({ isTaken: true });
  });

  it("adds only the entries that are missing, by their number, and leaves the others as they are", async () => {
    const store = await fresh();
    await store.importRun(ended, news.slice(0, 1), start + 1);
    await store.importRun(ended, news, start + 9);
    await store.importRun(ended, news, start + 99);
    expect(await store.readJournal("a", 0, 10)).toHaveLength(2);
    expect(await store.find("a")).toMatchObject([{ endedAt: start + 9 }]);
  });
}
