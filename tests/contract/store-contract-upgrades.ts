import { expect, it } from "vitest";
import { hashFrozen } from "../../src/core/journal/chain.ts";
import { runStateVersion } from "../../src/core/run/state.ts";
import type { NewRun } from "../../src/shell/ports.ts";
import { sha256 } from "../../src/shell/stores/sha256.ts";
import { version2 } from "../replay/version-2-run.ts";
import { checkChain } from "./check-chain.ts";
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

/** The sample run with a state as some other version stored it. */
function runOf(id: string, state: Record<string, unknown>): NewRun {
  const run = sampleRun(id);
  return JSON.parse(JSON.stringify({ ...run, state: { ...run.state, ...state } })) as NewRun;
}

/** The sample run as version 2 stored it, with one guardrail. */
function olderRun(id: string): NewRun {
  return JSON.parse(JSON.stringify({ ...sampleRun(id), ...version2({ commands: ["npm test"] }) })) as NewRun;
}

/** Runs of other versions. */
export function describeUpgrades(fresh: FreshStore): void {
  it("shows a run of an older version as one of this version, and writes nothing by showing it", async () => {
    const store = await fresh();
    await createRun(store, olderRun("a"), ada, everyoneLives);
    const { state, frozen } = await only(store, "a");
    expect(state).toMatchObject({ version: runStateVersion, policy: { gates: [{ name: "npm test" }] } });
    expect(frozen.contract).toMatchObject({ hash: expect.stringMatching(/^[\da-f]{64}$/) as string });
    expect(await store.readJournal("a", 0, 10)).toEqual([]);
  });

  it("says once in the journal that a taken run was upgraded, with the state it goes on from", async () => {
    const store = await fresh();
    await createRun(store, olderRun("a"), ada, everyoneLives);
    await takeRun(store, "a", bob, nobodyLives);
    await takeRun(store, "a", ada, nobodyLives);
    const { state } = await only(store, "a");
    expect(await store.readJournal("a", 0, 10)).toEqual([
      {
        runId: "a",
        seq: 1,
        at: start,
        kind: "note",
        level: "info",
        text: expect.stringContaining(
          `stored by version 2 and continues as version ${runStateVersion}; its gates stay: npm test`,
        ) as string,
        upgraded: { from: 2, to: runStateVersion, state },
      },
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a newer version", { version: 99 }, "version 99"],
    ["no version", { version: null }, "an unknown version"],
    ["no gates", { policy: { ...sampleRun("x").state.policy, gates: undefined } }, "policy.gates"],
    [
      "the memory of a gate it lacks",
      { slots: { "task-list": version2({ kind: "prd" }).state["tasks"] } },
      "task-list",
    ],
    ["a gate less than version 2 stored", { ...version2().state, policy: {} }, "policy.kind"],
  ])("refuses a run with %s by name, lists the others and names it", async (_what, state, named) => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.commit({ ...sampleStep("a", 1, 1), state: runOf("a", state).state });
    await createRun(store, { ...sampleRun("b"), directory: "/other" }, ada, everyoneLives);
    const refusal = {
      code: "store",
      message: expect.stringContaining(named) as string,
      hint: expect.stringContaining("ralph run") as string,
    };
    await expect(store.find("a")).rejects.toMatchObject(refusal);
    await expect(takeRun(store, "a", bob, nobodyLives)).rejects.toMatchObject(refusal);
    expect((await store.list({ directory: null, limit: null })).map(({ id }) => id)).toEqual(["b"]);
    expect(await store.listUnusable({ directory: null, limit: null })).toEqual([
      { id: "a", directory: "/project", problem: expect.stringContaining("Run a ") as string },
    ]);
    expect(await store.listUnusable({ directory: "/other", limit: null })).toEqual([]);
  });
}

/** The hash chain of a journal. */
export function describeChains(fresh: FreshStore): void {
  it("chains every entry of a run by its hash, each run for itself", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await createRun(store, { ...sampleRun("b"), directory: "/other" }, ada, everyoneLives);
    expect(await checkChain(store, "a")).toEqual({ isIntact: true, entries: 0, unhashed: 0 });
    await store.commit(sampleStep("a", 1, 1));
    await store.note({ runId: "b", epoch: 1, at: start, level: "info", text: "of another run" });
    await store.note({ runId: "a", epoch: 1, at: start, level: "info", text: "✔" });
    await store.commit(sampleStep("a", 1, 2));
    expect(await checkChain(store, "a")).toEqual({ isIntact: true, entries: 3, unhashed: 0 });
    expect(await checkChain(store, "b")).toEqual({ isIntact: true, entries: 1, unhashed: 0 });
  });

  it("starts a second chain that names the first when a newer version takes the run", async () => {
    const store = await fresh();
    await createRun(store, olderRun("a"), ada, everyoneLives);
    await store.note({ runId: "a", epoch: 1, at: start, level: "info", text: "first" });
    const first = await store.readChain("a", 0, 10);
    const epoch = await epochOf(takeRun(store, "a", bob, nobodyLives));
    await store.commit(sampleStep("a", epoch, 1));
    const { links, head } = await store.readChain("a", 1, 1);
    expect({ seqs: links.map(({ seq }) => seq), head }).toMatchObject({
      seqs: [2],
      head: expect.any(String) as string,
    });
    expect(links[0]?.body).toMatchObject({ previousChain: { seq: 1, hash: first.head } });
    expect(await checkChain(store, "a")).toEqual({ isIntact: true, entries: 3, unhashed: 0 });
  });

  it("names in the first entry of a run, and in that of its upgrade, the hash of what it was started with", async () => {
    const store = await fresh();
    await createRun(store, olderRun("a"), ada, everyoneLives);
    await store.note({ runId: "a", epoch: 1, at: start, level: "info", text: "first" });
    await store.note({ runId: "a", epoch: 1, at: start, level: "info", text: "second" });
    const before = await store.readChain("a", 0, 10);
    await takeRun(store, "a", bob, nobodyLives);
    const { links, frozenHash } = await store.readChain("a", 0, 10);
    const told = [before.frozenHash, undefined, frozenHash];
    expect(links.map(({ body }) => body?.["frozenHash"])).toEqual(told);
    expect(frozenHash).toBe(hashFrozen((await only(store, "a")).frozen, sha256));
    expect(frozenHash).not.toBe(before.frozenHash);
  });

  it("rejects a chain of a run that is not there", async () => {
    const store = await fresh();
    await expect(store.readChain("a", 0, 10)).rejects.toMatchObject({ code: "not-found" });
  });
}
