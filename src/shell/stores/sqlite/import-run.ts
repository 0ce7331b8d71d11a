import type { JournalNews } from "../../../core/journal/journal-entry.ts";
import type { NewRun } from "../../ports.ts";
import { appendEntry } from "./journal-entries.ts";
import { insertRun } from "./run-rows.ts";
import { numberOf, type Sql } from "./sql.ts";

/** Adds an ended run with the entries of its journal that are not there yet, in one transaction. */
export function importRun(sql: Sql, run: NewRun, journal: readonly JournalNews[], endedAt: number): void {
  sql.transaction(() => {
    const known = sql.get("select coalesce(max(seq), 0) as seq from journal where run_id = ?", run.id);
    const isKnown = sql.get("select 1 from runs where id = ?", run.id) !== null;
    if (!isKnown) insertRun(sql, run);
    const missing = journal.slice(known === null ? 0 : numberOf(known, "seq"));
    for (const { at, kind, ...body } of missing) appendEntry(sql, { runId: run.id, at, kind, body });
    if (isKnown && missing.length === 0) return;
    const { outcome } = run.state;
    sql.run(
      "update runs set state = ?, outcome = ?, updated_at = ?, ended_at = ? where id = ?",
      JSON.stringify(run.state),
      outcome === null ? null : JSON.stringify(outcome),
      endedAt,
      endedAt,
      run.id,
    );
  });
}
