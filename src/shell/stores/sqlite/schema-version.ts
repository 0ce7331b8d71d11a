import type { DatabaseSync } from "node:sqlite";

/** The schema this program writes: the number of the last migration. */
export const schemaVersion = 7;

/** The number of the last migration the database has seen, 0 for a new one, and whether it has any table. */
export function readVersion(database: DatabaseSync): { version: number; hasTables: boolean } {
  // One statement, hence one moment: another process may be migrating it.
  const row = database
    .prepare("select user_version, exists (select 1 from sqlite_master) as has_tables from pragma_user_version")
    .get();
  return { version: Number(row?.["user_version"]), hasTables: row?.["has_tables"] === 1 };
}
