import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { type KeepLimits, latestEnd, latestPut } from "../keep-limits.ts";
import { runsFolder } from "../evidence-path.ts";
import { streamsFolder } from "../stream-path.ts";
import { numberOf, type Sql, textOf } from "./sql.ts";

/** Removes old runs, then the oldest ones while the store is too large, with their blobs, raw streams and evidence. */
export function pruneRuns(sql: Sql, folder: string, keep: KeepLimits, now: number): string[] {
  const files = readFiles(folder);
  removeOrphans(sql, folder, { files, now });
  const putBefore = latestPut(keep, now);
  sql.run(`delete from blobs where put_at < ? and ${isUnused}`, putBefore);
  const removed: string[] = [];
  for (;;) {
    const bytes = databaseBytes(sql) + Array.from(files.values()).reduce((sum, size) => sum + size, 0);
    // One run a transaction: other processes never wait long.
    const runId = removeOldest(sql, latestEnd(keep, now, bytes), putBefore);
    if (runId === null) break;
    removed.push(runId);
    if (files.delete(runId)) removeFiles(folder, runId);
  }
  if (removed.length > 0) sql.all(`pragma incremental_vacuum(${vacuumPagesMax})`);
  return removed;
}

/** 100 MB given back to the disk at a time; what is left is used again by later runs. */
const vacuumPagesMax = 25_000;

const isUnused = "not exists (select 1 from run_blobs where run_blobs.hash = blobs.hash)";

/** Bytes of raw streams and evidence by run. */
function readFiles(folder: string): Map<string, number> {
  const files = new Map<string, number>();
  const add = (runId: string, bytes: number): unknown => files.set(runId, (files.get(runId) ?? 0) + bytes);
  for (const runId of namesIn(streamsFolder(folder))) add(runId, folderBytes(join(streamsFolder(folder), runId)));
  for (const runId of namesIn(runsFolder(folder))) add(runId, evidenceBytes(join(runsFolder(folder), runId)));
  return files;
}

/**
 * Files without a run have lost it, or their driver was killed before it stored the run. One that is about to store its run
 * has just made them: it looks at the repository first, and that may take minutes.
 */
function removeOrphans(sql: Sql, folder: string, { files, now }: { files: Map<string, number>; now: number }): void {
  for (const runId of Array.from(files.keys())) {
    if (sql.get("select 1 from runs where id = ?", runId) !== null) continue;
    const madeMs = statSync(join(streamsFolder(folder), runId), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now - madeMs < orphanMsMin) continue;
    files.delete(runId);
    removeFiles(folder, runId);
  }
}

const orphanMsMin = 3_600_000;

/** What the rows take; pages freed by earlier removals do not count. */
function databaseBytes(sql: Sql): number {
  const row = sql.get(
    `select (page_count - freelist_count) * page_size as bytes
     from pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );
  return numberOf(row ?? {}, "bytes");
}

function removeOldest(sql: Sql, endedBefore: number, putBefore: number): string | null {
  return sql.transaction(() => {
    const row = sql.get(
      // A run of a family that is still at work stays, whatever its own end.
      `select id from runs where ended_at < ?
       and not exists (select 1 from locks where locks.run_id = runs.id)
       and not exists (select 1 from runs parent where parent.id = runs.parent_id and parent.ended_at is null)
       order by ended_at, id limit 1`,
      endedBefore,
    );
    if (row === null) return null;
    const runId = textOf(row, "id");
    const hashes = sql.all("select hash from run_blobs where run_id = ?", runId);
    sql.run("delete from runs where id = ?", runId);
    for (const blob of hashes)
      sql.run(`delete from blobs where hash = ? and put_at < ? and ${isUnused}`, textOf(blob, "hash"), putBefore);
    return runId;
  });
}

function removeFiles(folder: string, runId: string): void {
  for (const path of [join(streamsFolder(folder), runId), join(runsFolder(folder), runId)]) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RalphError(
        "store",
        `The files of a removed run in ${path} cannot be removed (${reason}).`,
        "Remove them by hand.",
        error,
      );
    }
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    // Nothing was written yet, or the folder is just being removed by another process.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return [];
    throw error;
  }
}

/** Evidence lies in one folder per role. */
function evidenceBytes(path: string): number {
  const checks = join(path, "checks");
  return namesIn(checks).reduce((sum, role) => sum + folderBytes(join(checks, role)), 0);
}

function folderBytes(path: string): number {
  return namesIn(path).reduce(
    (sum, name) => sum + (statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
