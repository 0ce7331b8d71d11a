import { blobHashes } from "../blob-hashes.ts";
import { hashText } from "../hash-text.ts";
import { type Sql, textOf } from "./sql.ts";

/** Stores a text under its hash. Putting it again keeps it young, so that no prune takes it before it is referred to. */
export async function putBlob(sql: Sql, text: string, now: () => number): Promise<string> {
  const hash = await hashText(text);
  sql.run(
    `insert into blobs (hash, put_at, text) values (?, ?, ?)
     on conflict (hash) do update set put_at = excluded.put_at where blobs.put_at < excluded.put_at`,
    hash,
    now(),
    text,
  );
  return hash;
}

/** The text of that hash, or null. */
export function getBlob(sql: Sql, hash: string): string | null {
  const row = sql.get("select text from blobs where hash = ?", hash);
  return row === null ? null : textOf(row, "text");
}

/** Notes which blobs a run refers to, in the transaction that stores the reference. */
export function rememberBlobs(sql: Sql, runId: string, json: string): void {
  for (const hash of blobHashes(json))
    sql.run("insert into run_blobs (run_id, hash) values (?, ?) on conflict do nothing", runId, hash);
}
