import type { Outcome } from "../../../core/engine/outcome.ts";
import type { RunKind } from "../../../core/engine/policy.ts";
import type { RunState } from "../../../core/engine/state.ts";
import type { FrozenRun } from "../../../core/settings/frozen-run.ts";
import type { NewRun, Owner, RunFilter, RunRecord } from "../../ports.ts";
import { asOwn } from "../as-own.ts";
import { numberOf, numberOrNull, type Sql, type SqlRow, textOf, textOrNull } from "./sql.ts";

/** The run with exactly this id, or null. */
export function readRun(sql: Sql, runId: string): RunRecord | null {
  const row = sql.get(`${selectRuns} where runs.id = ?`, runId);
  return row === null ? null : toRecord(row);
}

/** The run with exactly this id, else those whose id begins with it. */
export function findRuns(sql: Sql, beginning: string): RunRecord[] {
  if (beginning === "") return [];
  const whole = readRun(sql, beginning);
  if (whole !== null) return [whole];
  const end = `${beginning}\u{10FFFF}`;
  return sql.all(`${selectRuns} where runs.id >= ? and runs.id < ? order by runs.id`, beginning, end).map(toRecord);
}

/** Newest first. */
export function listRuns(sql: Sql, filter: RunFilter): RunRecord[] {
  const order = "order by runs.created_at desc, runs.id desc limit ?";
  // SQLite takes a negative limit as none.
  const limit = filter.limit ?? -1;
  const { directory, parentId, isHeld } = filter;
  const conditions = [
    ...(directory === null ? [] : [{ text: "runs.directory = ?", values: [directory] }]),
    ...(parentId === undefined ? [] : [{ text: "runs.parent_id = ?", values: [parentId] }]),
    ...(isHeld === undefined ? [] : [{ text: "locks.run_id is not null", values: [] }]),
  ];
  const where = conditions.length === 0 ? "" : `where ${conditions.map(({ text }) => text).join(" and ")}`;
  const values = conditions.flatMap((condition) => condition.values);
  return sql.all(`${selectRuns} ${where} ${order}`, ...values, limit).map(toRecord);
}

/** Adds a run of epoch 1, without a lock. An id that is already there rejects. */
export function insertRun(sql: Sql, run: NewRun): void {
  const { outcome } = run.state;
  sql.run(
    `insert into runs (id, kind, directory, parent_id, created_at, epoch, state, outcome, updated_at, ended_at)
     values (?, ?, ?, ?, ?, 1, ?, ?, ?, ?)`,
    run.id,
    run.kind,
    run.directory,
    run.parentId,
    run.createdAt,
    JSON.stringify(run.state),
    outcome === null ? null : JSON.stringify(outcome),
    run.createdAt,
    outcome === null ? null : run.createdAt,
  );
  // Apart from the state: a long prompt would be written again with every step.
  sql.run("insert into inputs (run_id, frozen) values (?, ?)", run.id, JSON.stringify(run.frozen));
}

/** Who drives a run is written in its lock alone, so that the two cannot disagree. */
const selectRuns = `
  select runs.*, inputs.frozen, locks.pid, locks.start_time, locks.host from runs
  join inputs on inputs.run_id = runs.id
  left join locks on locks.run_id = runs.id`;

function toRecord(row: SqlRow): RunRecord {
  const outcome = textOrNull(row, "outcome");
  return {
    id: textOf(row, "id"),
    kind: asOwn<RunKind>(textOf(row, "kind")),
    directory: textOf(row, "directory"),
    parentId: textOrNull(row, "parent_id"),
    frozen: asOwn<FrozenRun>(JSON.parse(textOf(row, "frozen"))),
    state: asOwn<RunState>(JSON.parse(textOf(row, "state"))),
    createdAt: numberOf(row, "created_at"),
    epoch: numberOf(row, "epoch"),
    owner: row["pid"] === null ? null : toOwner(row),
    updatedAt: numberOf(row, "updated_at"),
    endedAt: numberOrNull(row, "ended_at"),
    outcome: outcome === null ? null : asOwn<Outcome>(JSON.parse(outcome)),
  };
}

/** The owner in a row that has the columns of a lock. */
export function toOwner(row: SqlRow): Owner {
  return { pid: numberOf(row, "pid"), startTime: textOf(row, "start_time"), host: textOf(row, "host") };
}
