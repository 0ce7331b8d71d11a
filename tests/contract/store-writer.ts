import { writeSync } from "node:fs";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { ada, createRun, epochOf, nobodyLives, sampleRun, sampleStep, takeRun } from "./store-samples.ts";

// A driver without a loop: takes or creates a run and commits iterations, writing the number of each one that resolved.
const [folder = "", runId = "", countText = ""] = process.argv.slice(2);
const store = await openSqliteStore({ folder });
const [known] = await store.find(runId);
const run = sampleRun(runId, { directory: runId });
const epoch = await epochOf(
  known === undefined ? createRun(store, run, ada, nobodyLives) : takeRun(store, runId, ada, nobodyLives),
);
const first = (known?.state.iteration ?? 0) + 1;
for (let iteration = first; iteration < first + Number(countText); iteration += 1) {
  await store.commit(sampleStep(runId, epoch, iteration));
  writeSync(1, `${iteration}\n`);
}
await store.close();
