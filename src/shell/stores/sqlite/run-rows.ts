import type { Outcome } from "../../../core/run/outcome.ts";
import type { RunKind } from "../../../core/contract/run-kind.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { parsedOrNull } from "../../../core/text/parsed-or-null.ts";
import type { NewRun, Owner, RunFilter, RunRecord, UnusableRun } from "../../ports.ts";
import { asOwn } from "../../lib/as-own.ts";
import { refusalOf, type StoredRun, usableRun } from "../usable-run.ts";
import { numberOf, numberOrNull, type Sql, type SqlRow, textOf, textOrNull } from "./sql.ts";

/** The run with exactly this id, or null. */
export function readRun(sql: Sql, runId: string): RunRecord | null {
  const row = sql.get(`${selectRuns} where runs.id = ?`, runId);
  return row === null ? null : toRecord(row);
}

/** The run with exactly this id, else those whose id begins with it, else those whose id has it anywhere. */
export function findRuns(sql: Sql, part: string): RunRecord[] {
  if (part === "") return [];
  const whole = readRun(sql, part);
  if (whole !== null) return [whole];
  const end = `${part}\u{10FFFF}`;
  const begun = sql.all(`${selectRuns} where runs.id >= ? and runs.id < ? order by runs.id`, part, end);
  if (begun.length > 0) return begun.map(toRecord);
  return sql.all(`${selectRuns} where instr(runs.id, ?) > 0 order by runs.id`, part).map(toRecord);
}

/** Newest first, without those that no command of this version can use. */
export function listRuns(sql: Sql, filter: RunFilter): RunRecord[] {
  return selectList(sql, filter).flatMap((row) => recordIfUsable(row) ?? []);
}

/** Read once: parsing and checking a run is most of what a list costs. */
function recordIfUsable(row: SqlRow): RunRecord | null {
  try {
    return toRecord(row);
  } catch (error) {
    if (error instanceof RalphError) return null;
    throw error;
  }
}

/** What `listRuns` leaves out, with the reason. */
export function listUnusable(sql: Sql, filter: RunFilter): UnusableRun[] {
  return selectList(sql, filter).flatMap((row) => {
    const problem = refusalOf(storedRun(row));
    return problem === null ? [] : [{ id: textOf(row, "id"), directory: textOf(row, "directory"), problem }];
  });
}

function selectList(sql: Sql, filter: RunFilter): SqlRow[] {
  const order = "order by runs.created_at desc, runs.id desc limit ?";
  // SQLite takes a negative limit as none.
  const limit = filter.limit ?? -1;
  const { directory, parentId, isTop, isHeld, kind } = filter;
  // Few runs are held: the plus keeps SQLite from walking all runs of the directory for them.
  const place = isHeld === undefined ? "runs.directory = ?" : "+runs.directory = ?";
  const conditions = [
    ...(directory === null ? [] : [{ text: place, values: [directory] }]),
    ...(parentId === undefined ? [] : [{ text: "runs.parent_id = ?", values: [parentId] }]),
    ...(isTop === undefined ? [] : [{ text: "runs.parent_id is null", values: [] }]),
    ...(kind === undefined ? [] : [{ text: "runs.kind = ?", values: [kind] }]),
    ...(isHeld === undefined ? [] : [{ text: "runs.id in (select run_id from locks)", values: [] }]),
  ];
  const where = conditions.length === 0 ? "" : `where ${conditions.map(({ text }) => text).join(" and ")}`;
  const values = conditions.flatMap((condition) => condition.values);
  return sql.all(`${selectRuns} ${where} ${order}`, ...values, limit);
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
  select runs.*, inputs.frozen, locks.pid, locks.start_time, locks.host, locks.namespace, locks.expires_at from runs
  join inputs on inputs.run_id = runs.id
  left join locks on locks.run_id = runs.id`;

function storedRun(row: SqlRow): StoredRun {
  const [state, frozen] = [parsedOrNull(textOf(row, "state")), parsedOrNull(textOf(row, "frozen"))];
  return { id: textOf(row, "id"), kind: textOf(row, "kind"), state, frozen };
}

/** The run as it is stored, whatever version stored it. */
export function readStored(sql: Sql, runId: string): StoredRun | null {
  const row = sql.get(`${selectRuns} where runs.id = ?`, runId);
  return row === null ? null : storedRun(row);
}

function toRecord(row: SqlRow): RunRecord {
  const { state, frozen } = usableRun(storedRun(row));
  const outcome = textOrNull(row, "outcome");
  return {
    id: textOf(row, "id"),
    kind: asOwn<RunKind>(textOf(row, "kind")),
    directory: textOf(row, "directory"),
    parentId: textOrNull(row, "parent_id"),
    frozen,
    state,
    createdAt: numberOf(row, "created_at"),
    epoch: numberOf(row, "epoch"),
    owner: row["pid"] === null ? null : toOwner(row),
    expiresAt: numberOrNull(row, "expires_at"),
    updatedAt: numberOf(row, "updated_at"),
    endedAt: numberOrNull(row, "ended_at"),
    outcome: outcome === null ? null : asOwn<Outcome>(JSON.parse(outcome)),
  };
}

/** The owner in a row that has the columns of a lock. */
export function toOwner(row: SqlRow): Owner {
  const namespace = textOrNull(row, "namespace");
  return {
    pid: numberOf(row, "pid"),
    startTime: textOf(row, "start_time"),
    host: textOf(row, "host"),
    ...(namespace === null ? {} : { namespace }),
  };
}
