import { afterEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/shell/ports.ts";
import { describeBlobs, describeImports, describeLists, describePrune } from "./store-contract-keeping.ts";
import { describeLeases } from "./store-contract-leases.ts";
import { describeLocks } from "./store-contract-locks.ts";
import { describeAgentEvents, describeRequests, describeSteps } from "./store-contract-records.ts";
import { describeTasks } from "./store-contract-tasks.ts";
import { describeChains, describeUpgrades } from "./store-contract-upgrades.ts";
import { start } from "./store-samples.ts";

/** How a suite opens an empty store; `clock.now` dates blobs and leases. */
export type OpenStore = (clock: { now: number }) => Promise<Store>;

/** A new empty store that is closed after the test. */
export type FreshStore = (clock?: { now: number }) => Promise<Store>;

/** Every promise of the `Store` port; each implementation passes it unchanged. */
export function describeStoreContract(name: string, open: OpenStore): void {
  describe(`${name} store`, () => {
    const opened: Store[] = [];
    const fresh = async (clock = { now: start }): Promise<Store> => {
      const store = await open(clock);
      opened.push(store);
      return store;
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    describeLocks(fresh);
    describeLeases(fresh);
    describeSteps(fresh);
    describeImports(fresh);
    describeRequests(fresh);
    describeAgentEvents(fresh);
    describeBlobs(fresh);
    describeLists(fresh);
    describePrune(fresh);
    describeTasks(fresh);
    describeUpgrades(fresh);
    describeChains(fresh);

    it("rejects every call after it was closed, and closes twice", async () => {
      const store = await fresh();
      await store.close();
      await store.close();
      await expect(store.find("a")).rejects.toMatchObject({ code: "store" });
      await expect(store.putBlob("a")).rejects.toMatchObject({ code: "store" });
    });
  });
}
