import { assert } from "../../../core/assert.ts";
import { upgradeNote } from "../../../core/run/upgrade/upgrade-note.ts";
import type { Lease, NewRun, RunRecord, Taken } from "../../ports.ts";
import { judgeLeases, leaseMs, type LeaseTaker } from "../lease-rule.ts";
import { givenUpLease, lostLock, noSuchRun } from "../refusals.ts";
import { usableRun } from "../usable-run.ts";
import { rememberBlobs } from "./blobs.ts";
import { appendEntry } from "./journal-entries.ts";
import { insertRun, readRun, readStored, toOwner } from "./run-rows.ts";
import { numberOf, numberOrNull, type Sql, type SqlRow, textOf } from "./sql.ts";

/** Creates the run and takes its directory, or does neither. */
export function createRun(sql: Sql, run: NewRun, taker: LeaseTaker): Taken {
  return sql.transaction(() => {
    const refusal = clearLeases(sql, run, taker);
    if (refusal !== null) return refusal;
    insertRun(sql, run);
    rememberBlobs(sql, run.id, JSON.stringify([run.frozen, run.state]));
    return lock(sql, run.id, taker);
  });
}

/** Takes an existing run under a new epoch; from then on every write of its former driver fails. */
export function takeRun(sql: Sql, runId: string, taker: LeaseTaker): Taken {
  return sql.transaction(() => {
    const run = readRun(sql, runId);
    if (run === null) throw noSuchRun(runId);
    const refusal = clearLeases(sql, run, taker);
    if (refusal !== null) return refusal;
    fence(sql, runId);
    keepUpgrade(sql, runId, taker.at);
    return lock(sql, runId, taker);
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

/**
 * Moves the end of the lease, unless it passed on or was given up. A power cut may take that back, for it ends the driver
 * too. It waits for other writers only shortly: the program stands still meanwhile, and it comes again in ten seconds.
 */
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
  }, renewWaitMsMax);
}

/** A write takes a few milliseconds; whoever needs a second hangs. */
const renewWaitMsMax = 1000;

/** Only the owner releases: an older epoch finds nothing to give up. */
export function releaseRun(sql: Sql, runId: string, epoch: number): void {
  sql.run("delete from locks where run_id = ? and epoch = ?", runId, epoch);
}

/**
 * Removes the leases of dead drivers, fencing their runs, and returns null; or says why the run cannot be taken. Those of
 * children too: a role run that had ended is not taken again, and its work tree is gone, so nobody else would remove it.
 */
function clearLeases(sql: Sql, run: NewRun, taker: LeaseTaker): Taken | null {
  const onDirectory = sql.all(`${selectLeases} where directory = ?`, run.directory).map(toLease);
  const children = "run_id in (select id from runs where parent_id = ?) and directory <> ?";
  const ofChildren = sql.all(`${selectLeases} where ${children}`, run.id, run.directory).map(toLease);
  const judged = judgeLeases({ onDirectory, ofChildren }, run.parentId, taker);
  if (judged.may === "wait") return { isTaken: false, holder: knownRun(sql, judged.holder.runId), unknown: [] };
  if (judged.may === "ask") {
    const { unknown } = judged;
    return { isTaken: false, holder: knownRun(sql, unknown[0].runId), unknown };
  }
  for (const { runId } of judged.stale) removeLock(sql, runId);
  return null;
}

const selectLeases = "select run_id, epoch, pid, start_time, host, namespace, expires_at from locks";

function toLease(row: SqlRow): Lease {
  return {
    runId: textOf(row, "run_id"),
    owner: toOwner(row),
    epoch: numberOf(row, "epoch"),
    expiresAt: numberOrNull(row, "expires_at"),
  };
}

function removeLock(sql: Sql, runId: string): void {
  fence(sql, runId);
  sql.run("delete from locks where run_id = ?", runId);
}

function fence(sql: Sql, runId: string): void {
  sql.run("update runs set epoch = epoch + 1 where id = ?", runId);
}

function lock(sql: Sql, runId: string, { owner, at }: LeaseTaker): Taken {
  sql.run(
    `insert into locks (run_id, directory, epoch, pid, start_time, host, namespace, expires_at)
     select id, directory, epoch, ?, ?, ?, ?, ? from runs where id = ?`,
    owner.pid,
    owner.startTime,
    owner.host,
    owner.namespace ?? null,
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
