import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { RalphError } from "../../../core/ralph-error.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { rememberNotes } from "../seen-notes.ts";
import { streamsFolder } from "../artefact-path.ts";
import { migrate, migrations } from "./migrate.ts";
import { readVersion, schemaVersion } from "./schema-version.ts";
import { busyWaitMsMax, storeFault } from "./store-fault.ts";
import { withoutSqliteWarning } from "./without-sqlite-warning.ts";

/** Opens `ralph.db` in `folder`, creating or migrating it only where needed. Data found there is never replaced. */
export async function openDatabase(folder: string): Promise<{ database: DatabaseSync; path: string }> {
  const path = join(folder, "ralph.db");
  ensureFile(folder, path);
  const database = openFile(path);
  try {
    if (readVersion(database).version !== schemaVersion) await migrate(database, path, migrations);
    // A resolved write survives a power cut: the log is synced at every commit.
    database.exec("pragma synchronous = full");
    return { database, path };
  } catch (error) {
    database.close();
    throw storeFault(error, path);
  }
}

/** Only for the user: prompts and outputs may hold secrets. SQLite gives its side files the mode of the database. */
function ensureFile(folder: string, path: string): void {
  if (sizeOf(path) > 0) return;
  // The log is looked at first: whoever creates the store just now writes the database before its log.
  if (sizeOf(`${path}-wal`) > 0 && sizeOf(path) === 0)
    throw new RalphError(
      "store",
      `The store ${path} is missing or empty, but its log ${path}-wal holds data; both were left as they are.`,
      "Put the database back beside its log, or move both to another folder to start with an empty store.",
    );
  try {
    makeFolder(join(folder, streamsFolder), 0o700);
    // First: a store without them belongs to a user of an earlier version.
    rememberNotes(folder);
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new RalphError(
      "store",
      `The store ${path} cannot be created (${thrownText(error)}).`,
      "Check the owner and mode of the folder, or set RALPH_STATE_HOME to a folder you can write to.",
      error,
    );
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function openFile(path: string): DatabaseSync {
  try {
    return withoutSqliteWarning(() => new DatabaseSync(path, { timeout: busyWaitMsMax }));
  } catch (error) {
    throw storeFault(error, path);
  }
}
