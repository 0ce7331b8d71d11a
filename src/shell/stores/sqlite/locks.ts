import { assert } from "../../../core/assert.ts";
import { upgradeNote } from "../../../core/run/upgrade/upgrade-note.ts";
import type { Lease, NewRun, Owner, RunRecord, Taken } from "../../ports.ts";
import { judgeLocks, leaseMs } from "../lease-rule.ts";
import { givenUpLease, lostLock, noSuchRun } from "../refusals.ts";
import { usableRun } from "../usable-run.ts";
import { rememberBlobs } from "./blobs.ts";
import { appendEntry } from "./journal-entries.ts";
import { insertRun, readRun, readStored, toOwner } from "./run-rows.ts";
import { numberOf, type Sql, textOf } from "./sql.ts";

type IsAlive = (owner: Owner) => boolean;

/** Who takes a run, and when. */
type Taker = { owner: Owner; at: number };

/** Creates the run and takes its directory, or does neither. */
export function createRun(sql: Sql, run: NewRun, { owner, at }: Taker, isAlive: IsAlive): Taken {
  return sql.transaction(() => {
    const holder = clearDirectory(sql, run, owner, isAlive);
    if (holder !== null) return { isTaken: false, holder };
    insertRun(sql, run);
    rememberBlobs(sql, run.id, JSON.stringify([run.frozen, run.state]));
    return lock(sql, run.id, { owner, at });
  });
}

/** Takes an existing run under a new epoch; from then on every write of its former driver fails. */
export function takeRun(sql: Sql, runId: string, { owner, at }: Taker, isAlive: IsAlive): Taken {
  return sql.transaction(() => {
    const run = readRun(sql, runId);
    if (run === null) throw noSuchRun(runId);
    const holder = clearDirectory(sql, run, owner, isAlive);
    if (holder !== null) return { isTaken: false, holder };
    clearChildren(sql, runId, isAlive);
    fence(sql, runId);
    keepUpgrade(sql, runId, at);
    return lock(sql, runId, { owner, at });
  });
}

/** From here on the run is one of this version: its state is written as such, and the journal says so once. */
function keepUpgrade(sql: Sql, runId: string, at: number): void {
  const stored = readStored(sql, runId);
  assert(stored !== null, `the run ${runId} exists`);
  const { state, frozen, from } = usableRun(stored);
  if (from === state.version) return;
  sql.run("update runs set state = ? where id = ?", JSON.stringify(state), runId);
  sql.run("update inputs set frozen = ? where run_id = ?", JSON.stringify(frozen), runId);
  appendEntry(sql, {
    runId,
    at,
    kind: "note",
    body: { level: "info", ...upgradeNote(from, state) },
    isChainStart: true,
  });
}

/** Moves the end of the lease, unless it passed on or was given up. A power cut may take it back: it ends the driver too. */
export function renewLease(sql: Sql, { runId, epoch }: Pick<Lease, "runId" | "epoch">, at: number): void {
  sql.looseTransaction(() => {
    const changed = sql.run(
      "update locks set expires_at = ? where run_id = ? and epoch = ?",
      at + leaseMs,
      runId,
      epoch,
    );
    if (changed > 0) return;
    const row = sql.get("select epoch from runs where id = ?", runId);
    if (row === null) throw noSuchRun(runId);
    const found = numberOf(row, "epoch");
    throw found === epoch ? givenUpLease(runId) : lostLock(runId, { mine: epoch, found });
  });
}

/** Only the owner releases: an older epoch finds nothing to give up. */
export function releaseRun(sql: Sql, runId: string, epoch: number): void {
  sql.run("delete from locks where run_id = ? and epoch = ?", runId, epoch);
}

/** Removes locks of dead drivers, fencing their runs, and returns null; or returns the run of a living one. */
function clearDirectory(
  sql: Sql,
  run: Pick<NewRun, "directory" | "parentId">,
  owner: Owner,
  isAlive: IsAlive,
): RunRecord | null {
  const locks = sql
    .all("select run_id, pid, start_time, host from locks where directory = ?", run.directory)
    .map((row) => ({ runId: textOf(row, "run_id"), owner: toOwner(row) }));
  const { holder, stale } = judgeLocks(locks, { parentId: run.parentId, owner }, isAlive);
  if (holder !== null) return knownRun(sql, holder.runId);
  for (const { runId } of stale) removeLock(sql, runId);
  return null;
}

/** A role run that had ended is not taken again, and its work tree is gone: nobody else would remove its lock. */
function clearChildren(sql: Sql, parentId: string, isAlive: IsAlive): void {
  const locks = sql.all(
    "select run_id, pid, start_time, host from locks where run_id in (select id from runs where parent_id = ?)",
    parentId,
  );
  for (const row of locks) if (!isAlive(toOwner(row))) removeLock(sql, textOf(row, "run_id"));
}

function removeLock(sql: Sql, runId: string): void {
  fence(sql, runId);
  sql.run("delete from locks where run_id = ?", runId);
}

function fence(sql: Sql, runId: string): void {
  sql.run("update runs set epoch = epoch + 1 where id = ?", runId);
}

function lock(sql: Sql, runId: string, { owner, at }: Taker): Taken {
  sql.run(
    `insert into locks (run_id, directory, epoch, pid, start_time, host, expires_at)
     select id, directory, epoch, ?, ?, ?, ? from runs where id = ?`,
    owner.pid,
    owner.startTime,
    owner.host,
    at + leaseMs,
    runId,
  );
  const record = knownRun(sql, runId);
  return { isTaken: true, epoch: record.epoch, record };
}

function knownRun(sql: Sql, runId: string): RunRecord {
  const record = readRun(sql, runId);
  assert(record !== null, `the locked run ${runId} exists`);
  return record;
}
