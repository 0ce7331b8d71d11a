import { join } from "node:path";
import { expect, it } from "vitest";
import { checkJournal, type JournalCheck } from "../../src/app/query/check-journal.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { until } from "../run/scratch-project.ts";
import { completion, onWord, openWork, type WorkProject } from "../work/open-work.ts";

/** Every run of the project, and what a check of its journal finds. */
async function checkAll(work: WorkProject): Promise<{ name: string; check: JournalCheck }[]> {
  const store = await openSqliteStore({ folder: join(work.root, "state") });
  const found = [];
  for (const record of await store.list({ directory: null, limit: null }))
    found.push({ name: record.frozen.criterion?.role ?? "work", check: await checkJournal({ store }, record) });
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
  const runs = await checkAll(work);
  expect(runs.map(({ name }) => name).toSorted()).toEqual(["coder", "reviewer", "work"]);
  for (const { check } of runs) expect(check).toMatchObject({ isIntact: true, isReplayed: true, unreplayed: 0 });
});
