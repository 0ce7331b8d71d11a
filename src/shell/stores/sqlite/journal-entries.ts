import type { Effect } from "../../../core/run/effect.ts";
import type { Observation } from "../../../core/run/observation.ts";
import { runStateVersion } from "../../../core/run/state.ts";
import type { UpgradeRecord } from "../../../core/run/upgrade/upgrade-note.ts";
import { upgradeEntry } from "../../../core/run/upgrade/upgrade-run.ts";
import type { WorkEffect } from "../../../core/work/work-effect.ts";
import type { WorkObservation } from "../../../core/work/work-observation.ts";
import { canonicalJson } from "../../../core/text/canonical-json.ts";
import {
  type ChainLink,
  chainName,
  type ChainOpening,
  hashFrozen,
  type JournalChain,
  linkHash,
  type PreviousChain,
} from "../../../core/journal/chain.ts";
import type { JournalEntry } from "../../../core/journal/journal-entry.ts";
import { asOwn } from "../../lib/as-own.ts";
import { newerEntry, noSuchRun } from "../refusals.ts";
import { sha256 } from "../sha256.ts";
import { numberOf, type Sql, type SqlRow, textOf, textOrNull } from "./sql.ts";

/** An entry to be appended; `isChainStart`: a newer version takes the run over. */
export type NewEntry = {
  runId: string;
  at: number;
  kind: JournalEntry["kind"];
  body: object;
  isChainStart?: boolean;
};

/** Appends an entry to the run's hash chain, within a transaction. Entries without hashes are named, never rewritten. */
export function appendEntry(sql: Sql, { runId, at, kind, body, isChainStart = false }: NewEntry): void {
  const row = sql.get(
    `select journal_hash, (select coalesce(max(seq), 0) from journal where run_id = runs.id) as seq
     from runs where id = ?`,
    runId,
  );
  if (row === null) throw noSuchRun(runId);
  const [head, last] = [textOrNull(row, "journal_hash"), numberOf(row, "seq")];
  const isStart = last > 0 && (isChainStart || head === null);
  const previousChain = isStart ? { seq: last, hash: head ?? chainName(readLinks(sql, runId, 0), sha256) } : null;
  const text = canonicalJson(isStart || last === 0 ? { ...body, ...openingOf(sql, runId, previousChain) } : body);
  const link = { runId, seq: last + 1, at, kind, version: runStateVersion, body: parseBody(text) };
  const hash = linkHash(isStart ? "" : (head ?? ""), link, sha256);
  sql.run(
    "insert into journal (run_id, seq, at, kind, body, version, hash) values (?, ?, ?, ?, ?, ?, ?)",
    runId,
    link.seq,
    at,
    kind,
    text,
    link.version,
    hash,
  );
  sql.run("update runs set journal_hash = ? where id = ?", hash, runId);
}

function openingOf(sql: Sql, runId: string, previousChain: PreviousChain | null): ChainOpening {
  return { ...(previousChain === null ? {} : { previousChain }), frozenHash: frozenHash(sql, runId) };
}

function frozenHash(sql: Sql, runId: string): string {
  const row = sql.get("select frozen from inputs where run_id = ?", runId);
  return hashFrozen(row === null ? null : parseBody(textOf(row, "frozen")), sha256);
}

/** Entries after `afterSeq` in their order, as this version writes them. */
export function readJournal(sql: Sql, runId: string, afterSeq: number, limit: number): JournalEntry[] {
  return sql
    .all("select * from journal where run_id = ? and seq > ? order by seq limit ?", runId, afterSeq, limit)
    .map(toEntry);
}

/** Entries after `afterSeq` as they are stored, to check their hashes. */
export function readChain(sql: Sql, runId: string, afterSeq: number, limit: number): JournalChain {
  const row = sql.get("select journal_hash from runs where id = ?", runId);
  if (row === null) throw noSuchRun(runId);
  const frozen = frozenHash(sql, runId);
  return { links: readLinks(sql, runId, afterSeq, limit), head: textOrNull(row, "journal_hash"), frozenHash: frozen };
}

/** SQLite takes a negative limit as none. */
function readLinks(sql: Sql, runId: string, afterSeq: number, limit = -1): ChainLink[] {
  const rows = sql.all(
    "select * from journal where run_id = ? and seq > ? order by seq limit ?",
    runId,
    afterSeq,
    limit,
  );
  return rows.map((row) => {
    const [text, hash] = [textOf(row, "body"), textOrNull(row, "hash")];
    const body = parseBody(text);
    // Another text of the same value is another entry, too: a changed byte is always found.
    const isOwnText = hash === null || canonicalJson(body) === text;
    return { runId, ...placeOf(row), kind: textOf(row, "kind"), body: isOwnText ? body : null, hash };
  });
}

function placeOf(row: SqlRow): { seq: number; at: number; version: number } {
  return { seq: numberOf(row, "seq"), at: numberOf(row, "at"), version: numberOf(row, "version") };
}

function parseBody(text: string): Record<string, unknown> | null {
  try {
    return asOwn<Record<string, unknown>>(JSON.parse(text));
  } catch {
    return null;
  }
}

function toEntry(row: SqlRow): JournalEntry {
  const { seq, at, version } = placeOf(row);
  const runId = textOf(row, "run_id");
  const body = upgradeEntry(asOwn<Record<string, unknown>>(JSON.parse(textOf(row, "body"))), version);
  if (body === null) throw newerEntry(runId, { seq, version });
  if (textOf(row, "kind") === "note") return { runId, seq, at, kind: "note", ...noteOf(body) };
  if (textOf(row, "kind") === "work-step") {
    const { observation, effects } = asOwn<WorkBody>(body);
    return { runId, seq, at, kind: "work-step", observation, effects };
  }
  const { observation, effects } = asOwn<{ observation: Observation; effects: Effect[] }>(body);
  return { runId, seq, at, kind: "step", observation, effects };
}

type WorkBody = { observation: WorkObservation; effects: WorkEffect[] };

type Note = { level: "info" | "warning"; text: string; upgraded?: UpgradeRecord };

function noteOf(body: Record<string, unknown>): Note {
  const { level, text, upgraded } = asOwn<Note>(body);
  return { level, text, ...(upgraded === undefined ? {} : { upgraded }) };
}
