import type { Artefacts, Store } from "../../ports.ts";
import { createRunFiles } from "../file-artefacts.ts";
import { appendAgentEvents, readAgentEvents } from "./agent-events.ts";
import { getBlob, putBlob } from "./blobs.ts";
import { importRun } from "./import-run.ts";
import { appendNote, askRun, commitStep, readRequests } from "./journal.ts";
import { readChain, readJournal } from "./journal-entries.ts";
import { createRun, releaseRun, renewLease, takeRun } from "./locks.ts";
import { openDatabase } from "./open-database.ts";
import { pruneRuns } from "./prune.ts";
import { findRuns, listRuns, listUnusable } from "./run-rows.ts";
import { createSql } from "./sql.ts";
import { getTask, listTasks, putTasks, removeTask, updateTask } from "./tasks.ts";

/** What to open. `now` dates blobs and leases and is given by tests. `files` are removed with their runs. */
export type SqliteStoreOptions = {
  folder: string;
  now?: () => number;
  files?: Pick<Artefacts, "sizes" | "remove">;
};

/** Opens the store in `folder`, creating it when there is none. Rejects with code `store` and leaves what it cannot read. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { folder, now = Date.now, files = createRunFiles(folder) } = options;
  const { database, path } = await openDatabase(folder);
  const sql = createSql(database, path);
  return {
    create: async (run, owner, answers) => createRun(sql, run, { owner, at: now(), answers }),
    take: async (runId, owner, answers) => takeRun(sql, runId, { owner, at: now(), answers }),
    renew: async (lease) => renewLease(sql, lease, now()),
    release: async (runId, epoch) => releaseRun(sql, runId, epoch),
    commit: async (step) => commitStep(sql, step),
    note: async (entry) => appendNote(sql, entry),
    importRun: async (run, journal, endedAt) => importRun(sql, run, journal, endedAt),
    appendAgentEvents: async (lease, events) => appendAgentEvents(sql, lease, events),
    ask: async (runId, request, at) => askRun(sql, runId, request, at),
    readRequests: async (runId, afterSeq) => readRequests(sql, runId, afterSeq),
    putBlob: (text) => putBlob(sql, text, now),
    getBlob: async (hash) => getBlob(sql, hash),
    find: async (runId) => findRuns(sql, runId),
    list: async (filter) => listRuns(sql, filter),
    listUnusable: async (filter) => listUnusable(sql, filter),
    readChain: async (runId, afterSeq, limit) => readChain(sql, runId, afterSeq, limit),
    readJournal: async (runId, afterSeq, limit) => readJournal(sql, runId, afterSeq, limit),
    readAgentEvents: async (runId, afterSeq, limit) => readAgentEvents(sql, runId, afterSeq, limit),
    prune: (keep, at) => pruneRuns(sql, files, keep, at),
    putTasks: async (directory, writes) => putTasks(sql, directory, writes),
    getTask: async (directory, id) => getTask(sql, directory, id),
    listTasks: async (directory) => listTasks(sql, directory),
    updateTask: async (directory, id, update) => updateTask(sql, directory, id, update),
    removeTask: async (directory, id, expected) => removeTask(sql, directory, id, expected),
    close: async () => sql.close(),
  };
}
