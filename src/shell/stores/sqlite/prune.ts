import type { Artefacts, KeptFiles } from "../../ports.ts";
import { type KeepLimits, latestEnd, latestPut } from "../keep-limits.ts";
import { numberOf, type Sql, textOf } from "./sql.ts";

/** What becomes of the files of runs, and what is there of them. */
type Keeping = { files: Pick<Artefacts, "sizes" | "remove">; kept: Map<string, KeptFiles>; now: number };

/** Removes old runs, then the oldest ones while the store is too large, with their blobs and artefacts. */
export async function pruneRuns(sql: Sql, files: Keeping["files"], keep: KeepLimits, now: number): Promise<string[]> {
  const kept = new Map((await files.sizes()).map((each) => [each.runId, each]));
  await removeOrphans(sql, { files, kept, now });
  const putBefore = latestPut(keep, now);
  sql.run(`delete from blobs where put_at < ? and ${isUnused}`, putBefore);
  const removed: string[] = [];
  for (;;) {
    const bytes = databaseBytes(sql) + Array.from(kept.values()).reduce((sum, each) => sum + each.bytes, 0);
    // One run a transaction: other processes never wait long.
    const runId = removeOldest(sql, latestEnd(keep, now, bytes), putBefore);
    if (runId === null) break;
    removed.push(runId);
    if (kept.delete(runId)) await files.remove(runId);
  }
  if (removed.length > 0) sql.all(`pragma incremental_vacuum(${vacuumPagesMax})`);
  return removed;
}

/** 100 MB given back to the disk at a time; what is left is used again by later runs. */
const vacuumPagesMax = 25_000;

const isUnused = "not exists (select 1 from run_blobs where run_blobs.hash = blobs.hash)";

/**
 * Files without a run have lost it, or their driver was killed before it stored the run. One that is about to store its run
 * has just made them: it looks at the repository first, and that may take minutes.
 */
async function removeOrphans(sql: Sql, { files, kept, now }: Keeping): Promise<void> {
  for (const { runId, changedAt } of Array.from(kept.values())) {
    if (sql.get("select 1 from runs where id = ?", runId) !== null) continue;
    if (now - changedAt < orphanMsMin) continue;
    kept.delete(runId);
    await files.remove(runId);
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
