import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  ada,
  completed,
  createRun,
  everyoneLives,
  sampleRun,
  sampleState,
  start,
} from "../../../../tests/contract/store-samples.ts";
import type { NewRun, RunFilter, Store } from "../../../shell/ports.ts";
import { asOwn } from "../../../shell/lib/as-own.ts";
import { createMemoryStore } from "../../../shell/stores/memory/memory-store.ts";
import type { TargetContext } from "../find/target.ts";
import { standingOf } from "./standing.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-standing-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A context whose store notes how many runs it read of the directory. */
function contextOf(store: Store): { context: TargetContext; read: () => number } {
  let count = 0;
  const list = async (filter: RunFilter) => {
    const found = await store.list(filter);
    count += found.length;
    return found;
  };
  const context = {
    store: { ...store, list },
    folder,
    host: ada.host,
    clock: { now: () => start },
    isOwnerAlive: () => Promise.resolve(true),
    onProblem: () => undefined,
  };
  return { context: asOwn<TargetContext>(context), read: () => count };
}

async function addEnded(store: Store, id: string, change: Partial<NewRun>): Promise<void> {
  const run = sampleRun(id, { state: sampleState(1, completed), ...change });
  await store.importRun(run, [], run.createdAt);
}

const idsOf = async (context: TargetContext, directory: string | null): Promise<string[]> =>
  (await standingOf(context, directory)).runs.map(({ run }) => run.id);

describe("the standing of a directory with many runs", () => {
  it("has the living run first, however old, then the ten latest ended ones, and reads few others", async () => {
    const store = createMemoryStore({ now: () => start });
    await createRun(store, sampleRun("old", { directory: "/p", createdAt: start }), ada, everyoneLives);
    for (let index = 1; index <= 200; index += 1)
      await addEnded(store, `run-${index}`, { directory: "/p", createdAt: start + index });
    const { context, read } = contextOf(store);
    const latest = Array.from({ length: 10 }, (_, index) => `run-${200 - index}`);
    expect(await idsOf(context, "/p")).toEqual(["old", ...latest]);
    expect(read()).toBeLessThan(30);
  });

  it("looks further where role runs or living ones fill the first page, and lists everything without a directory", async () => {
    const store = createMemoryStore({ now: () => start });
    for (let index = 1; index <= 12; index += 1)
      await addEnded(store, `run-${index}`, { directory: "/p", createdAt: start + index });
    for (let index = 1; index <= 30; index += 1)
      await addEnded(store, `role-${index}`, { directory: "/p", createdAt: start + 100 + index, parentId: "work" });
    const { context } = contextOf(store);
    expect(await idsOf(context, "/p")).toHaveLength(10);
    expect(await idsOf(context, null)).toHaveLength(12);
  });
});
