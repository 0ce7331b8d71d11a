import { expect, it } from "vitest";
import { ada, createRun, everyoneLives, sampleRun, start } from "../../../../tests/contract/store-samples.ts";
import { createMemoryStore } from "../../../shell/stores/memory/memory-store.ts";
import { proposedRuns } from "./proposed-runs.ts";

it("proposes runs of the directory first, then the newest, and those with a part", async () => {
  const store = createMemoryStore();
  for (const [index, id] of ["20261115-aaaa", "20261116-bbbb", "20261117-cccc"].entries())
    await createRun(
      store,
      sampleRun(id, { directory: `/${id.slice(-1)}`, createdAt: start + index }),
      ada,
      everyoneLives,
    );
  const context = { store, folder: "/nowhere", onProblem: () => {} };
  const ids = async (part: string) =>
    (await proposedRuns(context, { directory: "/b", part })).map(({ id }) => id.slice(-4));
  expect(await ids("")).toEqual(["bbbb", "cccc", "aaaa"]);
  expect(await ids("cc")).toEqual(["cccc"]);
  expect(await ids("nothing")).toEqual([]);
});
