import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { linkHash } from "../../src/core/journal/chain.ts";
import { type FrozenChecks, frozenChecksHash } from "../../src/shell/sessions/frozen-checks.ts";

/** The folder a fixture was recorded in, and the one it is opened in. */
type Move = { from: string; to: string };

/** Puts the paths of a recorded state folder where it is opened, and this host in place of the one that recorded it. */
export function putPaths(state: string, move: Move): void {
  putPathsInDatabase(join(state, "ralph.db"), move);
  const files = [...filesBelow(join(state, "sessions")), ...gitFiles(state)];
  const texts = files.map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const hashes = texts
    .filter(({ path }) => /\/criteria-[^/]+\.json$/.test(path))
    .map(({ text }) => checksHashes(text, move));
  for (const { path, text } of texts) {
    const moved = text.replaceAll(move.from, move.to);
    writeFileSync(
      path,
      hashes.reduce((held, { before, after }) => held.replaceAll(before, after), moved),
    );
  }
  for (const path of files.filter((each) => each.endsWith("journal.ndjson"))) putLength(path);
}

/** A session is bound to the texts of its checks, paths included: their hash in its place of origin, and here. */
function checksHashes(text: string, { from, to }: Move): { before: string; after: string } {
  const hashOf = (frozen: string): string => {
    const checks = JSON.parse(frozen) as FrozenChecks;
    const [settingsPath = "/"] = Object.keys(checks.settings ?? {});
    return frozenChecksHash(checks, dirname(dirname(settingsPath)));
  };
  return { before: hashOf(text), after: hashOf(text.replaceAll(from, to)) };
}

/** A session's state says how many bytes its journal has, which other paths change. */
function putLength(journalPath: string): void {
  const path = join(dirname(journalPath), "state.json");
  const state = JSON.parse(readFileSync(path, "utf8")) as { journal: { bytes: number } };
  state.journal.bytes = statSync(journalPath).size;
  writeFileSync(path, JSON.stringify(state));
}

/** The columns that hold paths. No state holds any, and of the journals only those of work runs. */
const columnsWithPaths = [
  ["runs", "directory"],
  ["inputs", "frozen"],
  ["locks", "directory"],
  ["tasks", "directory"],
] as const;

function putPathsInDatabase(path: string, { from, to }: Move): void {
  const database = new DatabaseSync(path);
  const hasTable = (name: string) =>
    database.prepare("select 1 from sqlite_master where name = ?").get(name) !== undefined;
  for (const [table, column] of columnsWithPaths)
    if (hasTable(table)) database.prepare(`update ${table} set ${column} = replace(${column}, ?, ?)`).run(from, to);
  const named = database.prepare("select distinct run_id from journal where instr(body, ?) > 0").all(from);
  for (const { run_id: runId } of named) putPathsInJournal(database, String(runId), { from, to });
  // On another host nobody could tell whether the recorded driver is dead.
  database.prepare("update locks set host = ?").run(hostname());
  database.close();
}

/** The hashes cover the paths, so the chain of such a run is made again. Every other chain stays as it was recorded. */
function putPathsInJournal(database: DatabaseSync, runId: string, { from, to }: Move): void {
  const put = database.prepare("update journal set body = ?, hash = ? where run_id = ? and seq = ?");
  let hash = "";
  for (const row of database.prepare("select * from journal where run_id = ? order by seq").all(runId)) {
    const text = String(row["body"]).replaceAll(from, to);
    const [seq, at, version] = ["seq", "at", "version"].map((name) => Number(row[name])) as [number, number, number];
    const body = JSON.parse(text) as Record<string, unknown>;
    hash = linkHash(hash, { runId, seq, at, kind: String(row["kind"]), version, body }, sha256);
    put.run(text, hash, runId, seq);
  }
  database.prepare("update runs set journal_hash = ? where id = ?").run(hash, runId);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What a run's own store of git objects says of the repository beside it. */
function gitFiles(state: string): string[] {
  const folder = join(state, "streams");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((run) => ["start.json", "objects/info/alternates"].map((name) => join(folder, run, "git", name)))
    .filter((path) => existsSync(path));
}

/** Not every version has every folder. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}
