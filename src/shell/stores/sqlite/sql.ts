import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { assert } from "../../../core/assert.ts";
import { busyWaitMsMax, storeFault } from "./store-fault.ts";

export type SqlRow = Record<string, SQLOutputValue>;

/** A database as the store uses it: every statement is prepared once, every fault is a `RalphError`. */
export type Sql = {
  /** The first row, or null. */
  get(text: string, ...values: SQLInputValue[]): SqlRow | null;
  all(text: string, ...values: SQLInputValue[]): SqlRow[];
  /** How many rows were changed. */
  run(text: string, ...values: SQLInputValue[]): number;
  /** All of `body` or nothing, on the disk when it returns. Must not be nested. */
  transaction<Result>(body: () => Result): Result;
  /**
   * The same, but a power cut may take it back until the next transaction is synced; a killed program loses nothing. It
   * fails when others write for longer than `waitMsMax`.
   */
  looseTransaction<Result>(body: () => Result, waitMsMax?: number): Result;
  /** Idempotent. */
  close(): void;
};

/**
 * Wraps an open database. Plain `node:sqlite` instead of a query builder: kysely alone makes an empty program start
 * 1.5 times as slow (25 → 38 ms, bundled and minified), and `ralph status` shall stay within twice the empty start.
 */
export function createSql(database: DatabaseSync, path: string): Sql {
  const statements = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const prepared = database.prepare(text);
    statements.set(text, prepared);
    return prepared;
  };
  const guarded = <Result>(body: () => Result): Result => {
    try {
      return body();
    } catch (error) {
      throw storeFault(error, path);
    }
  };
  const transaction = <Result>(body: () => Result): Result =>
    guarded(() => {
      // A deferred transaction that turns into a writing one fails at once when busy, whatever the timeout.
      prepare("begin immediate").run();
      try {
        const result = body();
        prepare("commit").run();
        return result;
      } catch (error) {
        if (database.isTransaction) prepare("rollback").run();
        throw error;
      }
    });
  return {
    get: (text, ...values) => guarded(() => prepare(text).get(...values) ?? null),
    all: (text, ...values) => guarded(() => prepare(text).all(...values)),
    run: (text, ...values) => guarded(() => Number(prepare(text).run(...values).changes)),
    transaction,
    looseTransaction: (body, waitMsMax = busyWaitMsMax) =>
      guarded(() => {
        // SQLite sets these while it reads the statement: a prepared one would have no effect.
        database.exec(`pragma synchronous = normal; pragma busy_timeout = ${waitMsMax}`);
        try {
          return transaction(body);
        } finally {
          database.exec(`pragma synchronous = full; pragma busy_timeout = ${busyWaitMsMax}`);
        }
      }),
    close: () => {
      if (database.isOpen) guarded(() => database.close());
    },
  };
}

/** The text in a column that is never null. */
export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  assert(typeof value === "string", `column ${column} holds a text`);
  return value;
}

/** The text in a column, or null. */
export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

/** The number in a column that is never null. */
export function numberOf(row: SqlRow, column: string): number {
  const value = row[column];
  assert(typeof value === "number", `column ${column} holds a number`);
  return value;
}

/** The number in a column, or null. */
export function numberOrNull(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : numberOf(row, column);
}
