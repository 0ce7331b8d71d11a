import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { RalphError } from "../../../core/ralph-error.ts";
import { readVersion } from "./schema-version.ts";
import { busyWaitMsMax, isBusy } from "./store-fault.ts";

/**
 * The schema as numbered steps; a released step is never changed, only followed by another.
 * Columns are TEXT, INTEGER and BIGINT (times in ms) only, so that PostgreSQL takes the same tables.
 */
export const migrations: readonly string[] = [
  `
  create table runs (
    id text primary key,
    kind text not null,
    directory text not null,
    parent_id text,
    created_at bigint not null,
    epoch integer not null,
    state text not null,
    outcome text,
    updated_at bigint not null,
    ended_at bigint
  );
  create index runs_by_directory on runs (directory, created_at);
  create index runs_by_creation on runs (created_at);
  create index runs_by_end on runs (ended_at);

  create table inputs (
    run_id text primary key references runs (id) on delete cascade,
    frozen text not null
  );

  create table locks (
    run_id text primary key references runs (id) on delete cascade,
    directory text not null,
    epoch integer not null,
    pid integer not null,
    start_time text not null,
    host text not null
  );
  create index locks_by_directory on locks (directory);

  create table journal (
    run_id text not null references runs (id) on delete cascade,
    seq integer not null,
    at bigint not null,
    kind text not null,
    body text not null,
    primary key (run_id, seq)
  );

  create table agent_events (
    run_id text not null references runs (id) on delete cascade,
    seq integer not null,
    effect_id integer not null,
    at bigint not null,
    event text not null,
    primary key (run_id, seq)
  );
  create index agent_events_by_turn on agent_events (run_id, effect_id);

  create table requests (
    run_id text not null references runs (id) on delete cascade,
    seq integer not null,
    at bigint not null,
    request text not null,
    primary key (run_id, seq)
  );

  create table blobs (
    hash text primary key,
    put_at bigint not null,
    text text not null
  );

  create table run_blobs (
    run_id text not null references runs (id) on delete cascade,
    hash text not null,
    primary key (run_id, hash)
  );
  create index run_blobs_by_hash on run_blobs (hash);
  `,
  `
  create table tasks (
    directory text not null,
    id text not null,
    spec text not null,
    title text not null,
    description text not null,
    priority integer not null,
    dependencies text not null,
    assignee text,
    metadata text not null,
    completion text,
    version integer not null,
    status text not null,
    iteration integer not null,
    progress text,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (directory, id)
  );
  `,
  // Entries from before have version 1 and no hash; they stay as they are. `shape` is the version of a task's columns.
  `
  alter table runs add column journal_hash text;
  alter table journal add column version integer not null default 1;
  alter table journal add column hash text;
  alter table tasks add column shape integer not null default 1;
  `,
  // Locks from before have no end: their drivers do not renew.
  `
  alter table locks add column expires_at bigint;
  `,
  // Fields of a task's file that ralph only keeps.
  `
  alter table tasks add column other text;
  `,
  // Every `status` asks for supervised runs, whichever directory they are in.
  `
  create index runs_by_kind on runs (kind, created_at);
  `,
  // A pid means something only in its PID namespace. Locks from before do not tell theirs.
  `
  alter table locks add column namespace text;
  `,
];

/** Brings the database to the last of `steps`, in one transaction. Refuses what a newer program or another one wrote. */
export async function migrate(database: DatabaseSync, path: string, steps: readonly string[]): Promise<void> {
  refuseForeign(database, path, steps.length);
  await useWriteAheadLog(database);
  database.exec("begin immediate");
  try {
    // Another process may have migrated it meanwhile, even further.
    refuseForeign(database, path, steps.length);
    const { version } = readVersion(database);
    for (const [index, step] of steps.entries()) if (index >= version) database.exec(step);
    database.exec(`pragma user_version = ${steps.length}`);
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

function refuseForeign(database: DatabaseSync, path: string, known: number): void {
  const { version, hasTables } = readVersion(database);
  if (version > known)
    throw new RalphError(
      "store",
      `The store ${path} has schema version ${version}; this ralph knows versions up to ${known}.`,
      "Update ralph, or set RALPH_STATE_HOME to another folder for this version.",
    );
  if (version === 0 && hasTables)
    throw new RalphError(
      "store",
      `The store ${path} is a database of another program; it was left as it is.`,
      "Move it to another folder, or set RALPH_STATE_HOME to another folder.",
    );
}

/** Changing the mode does not wait for other processes by itself: it fails at once while another one opens the file. */
async function useWriteAheadLog(database: DatabaseSync): Promise<void> {
  const giveUpAt = performance.now() + busyWaitMsMax;
  for (;;) {
    try {
      database.exec("pragma auto_vacuum = incremental; pragma journal_mode = wal");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      await wait(10);
    }
  }
}
