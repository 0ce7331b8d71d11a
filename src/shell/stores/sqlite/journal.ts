import type { AskedRequest, Lease, StepCommit, Store } from "../../ports.ts";
import { asOwn } from "../../lib/as-own.ts";
import { lostLock, noSuchRun } from "../refusals.ts";
import { rememberBlobs } from "./blobs.ts";
import { appendEntry } from "./journal-entries.ts";
import { numberOf, type Sql, textOf } from "./sql.ts";

/** Stores a step: the new state and its journal entry, or nothing when another driver took the run. */
export function commitStep(sql: Sql, step: StepCommit): void {
  const { outcome } = step.state;
  const state = JSON.stringify(step.state);
  const body = { observation: step.observation, effects: step.effects };
  const ended = outcome === null ? { outcome: null, at: null } : { outcome: JSON.stringify(outcome), at: step.at };
  const store = (): void => {
    const changed = sql.run(
      // A run that has already ended keeps the time of its end.
      `update runs set state = ?, outcome = ?, updated_at = ?, ended_at = case when ? is null then null else coalesce(ended_at, ?) end
       where id = ? and epoch = ?`,
      state,
      ended.outcome,
      step.at,
      ended.at,
      ended.at,
      step.runId,
      step.epoch,
    );
    if (changed === 0) throw refusal(sql, step);
    appendEntry(sql, { runId: step.runId, at: step.at, kind: step.kind ?? "step", body });
    rememberBlobs(sql, step.runId, state);
    rememberBlobs(sql, step.runId, JSON.stringify(body));
  };
  if (isPassing(step)) sql.looseTransaction(store);
  else sql.transaction(store);
}

/**
 * News of a turn or a role at work on which nothing is ordered. A power cut that takes it back ends the turn's processes
 * too, and the spend is in the raw stream or in the role run; so it need not wait for the disk, and the next step syncs it
 * along.
 */
function isPassing({ observation, effects }: StepCommit): boolean {
  return effects.length === 0 && passingNews.has(observation.type);
}

const passingNews = new Set<StepCommit["observation"]["type"]>(["turn-started", "turn-progressed", "role-progressed"]);

/** Appends a remark of the shell. */
export function appendNote(sql: Sql, note: Parameters<Store["note"]>[0]): void {
  sql.transaction(() => {
    refuseStale(sql, note);
    const body = { level: note.level, text: note.text };
    appendEntry(sql, { runId: note.runId, at: note.at, kind: "note", body });
  });
}

/** Requests have a table of their own: no write of state can undo one. */
export function askRun(sql: Sql, runId: string, request: AskedRequest["request"], at: number): void {
  sql.transaction(() => {
    refuseUnknown(sql, runId);
    sql.run(
      `insert into requests (run_id, seq, at, request)
       select ?, coalesce(max(seq), 0) + 1, ?, ? from requests where run_id = ?`,
      runId,
      at,
      request,
      runId,
    );
  });
}

/** Requests after `afterSeq` in the order of asking. */
export function readRequests(sql: Sql, runId: string, afterSeq: number): AskedRequest[] {
  return sql
    .all("select seq, at, request from requests where run_id = ? and seq > ? order by seq", runId, afterSeq)
    .map((row) => ({
      seq: numberOf(row, "seq"),
      request: asOwn<AskedRequest["request"]>(textOf(row, "request")),
      at: numberOf(row, "at"),
    }));
}

/** Rejects a write of a driver that lost the run, within the transaction of the write. */
export function refuseStale(sql: Sql, lease: Pick<Lease, "runId" | "epoch">): void {
  const row = sql.get("select 1 from runs where id = ? and epoch = ?", lease.runId, lease.epoch);
  if (row === null) throw refusal(sql, lease);
}

/** Rejects a write for a run that was never there or has been pruned. */
function refuseUnknown(sql: Sql, runId: string): void {
  if (sql.get("select 1 from runs where id = ?", runId) === null) throw noSuchRun(runId);
}

function refusal(sql: Sql, { runId, epoch }: Pick<Lease, "runId" | "epoch">): Error {
  const row = sql.get("select epoch from runs where id = ?", runId);
  if (row === null) return noSuchRun(runId);
  return lostLock(runId, { mine: epoch, found: numberOf(row, "epoch") });
}
