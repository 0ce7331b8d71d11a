import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { checkJournal } from "../../src/app/query/check-journal.ts";
import type { RunRecord, Store } from "../../src/shell/ports.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";

/** A run as far as its driver needs to be known. */
export type StoredRun = { id: string; kind: string; parentId: string | null; outcome: string | null };

/** The runs in a state folder; none before the first one is stored. */
export function storedRuns(state: string): StoredRun[] {
  return readRows(
    state,
    "select id, kind, parent_id as parentId, json_extract(outcome, '$.name') as outcome from runs order by created_at",
  ) as StoredRun[];
}

/** The pids that hold a place. */
export function heldBy(state: string): number[] {
  return readRows(state, "select pid from locks").map(({ pid }) => Number(pid));
}

/** What the journals of all runs say against themselves and against the stored states. */
export async function journalProblems(state: string): Promise<string[]> {
  const store = await openSqliteStore({ folder: state });
  try {
    const problems: string[] = [];
    for (const { id } of storedRuns(state)) {
      const [record] = await store.find(id);
      problems.push(...(record === undefined ? [`run ${id} is gone`] : await problemsOf(store, record)));
    }
    return problems;
  } finally {
    await store.close();
  }
}

async function problemsOf(store: Store, record: RunRecord): Promise<string[]> {
  const check = await checkJournal({ store }, record);
  const isWhole = check.isIntact && check.isReplayed && check.unreplayed === 0;
  return isWhole ? [] : [`the journal of ${record.id} does not lead to its state: ${JSON.stringify(check)}`];
}

function readRows(state: string, query: string): Record<string, unknown>[] {
  const path = join(state, "ralph.db");
  if (!existsSync(path)) return [];
  // Not read-only: what a killed program left half-written is rolled back first.
  const database = new DatabaseSync(path);
  try {
    const { tables } = database.prepare("select count(*) as tables from sqlite_schema where name = 'locks'").get() as {
      tables: number;
    };
    return tables === 0 ? [] : database.prepare(query).all();
  } finally {
    database.close();
  }
}
