import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { until } from "../run/scratch-project.ts";
import { completion, onWord, openWork, type WorkProject } from "../work/open-work.ts";
import { foldJournal } from "./fold-journal.ts";

/** Every run of the project: what its journal folds to, and what is stored. */
async function foldAll(work: WorkProject): Promise<{ name: string; folded: unknown; stored: unknown }[]> {
  const store = await openSqliteStore({ folder: join(work.root, "state") });
  const runs = await store.list({ directory: null, limit: null });
  const found = [];
  for (const record of runs) {
    const { state, otherOrders } = foldJournal(record, await store.readJournal(record.id, 0, 100_000));
    const name = record.frozen.criterion?.role ?? "work";
    found.push({ name, folded: { state, otherOrders }, stored: { state: record.state, otherOrders: [] } });
  }
  await store.close();
  return found;
}

it("folds a work run and its role runs from their journals, also after a kill and a resume", async () => {
  const work = openWork();
  work.worker('echo x > "$task.txt"; touch "$root/at-work"; while [ ! -e "$root/go" ]; do sleep 0.02; done; claim', {
    work: { roles: ["coder", "reviewer"] },
    guardrails: [{ command: "true", failAction: "APPEND" }],
  });
  const spec = completion({ coder: onWord("CODED"), reviewer: onWord("REVIEWED") });
  await work.tasks({ id: "one", completion: spec });
  const started = work.start(["work", "--worktrees"]);
  await until(() => work.has("../at-work"), "an agent at work");
  started.child.kill("SIGKILL");
  await started.ended;
  work.write("../go", "");
  expect((await work.run(["resume"])).code).toBe(0);
  const runs = await foldAll(work);
  expect(runs.map(({ name }) => name).toSorted()).toEqual(["coder", "reviewer", "work"]);
  for (const { folded, stored } of runs) expect(folded).toEqual(stored);
});
