import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** A store to make of a small one: its only run gets a longer journal, and further runs are copies of it. */
export type FilledStore = { from: string; to: string; entries: number; runs: number };

type Row = Record<string, SQLInputValue>;

/**
 * Copies a store that the measured program wrote itself, and repeats what a real iteration wrote, so that no line of the
 * journal is invented. Agent events are left out: without them `logs`, the reference, is at its fastest.
 */
export function fillStore({ from, to, entries, runs }: FilledStore): void {
  cpSync(from, to, { recursive: true });
  const database = new DatabaseSync(join(to, "ralph.db"));
  const read = (text: string): Row[] => database.prepare(text).all();
  const insert = (table: string, row: Row): void => {
    const names = Object.keys(row);
    const marks = names.map(() => "?").join(", ");
    database.prepare(`insert into ${table} (${names.join(", ")}) values (${marks})`).run(...Object.values(row));
  };
  const [run = {}] = read("select * from runs");
  const [input = {}] = read("select * from inputs");
  const journal = read("select * from journal order by seq");
  database.exec("begin; delete from journal; delete from agent_events");
  for (const row of longJournal(journal, entries)) insert("journal", row);
  for (let index = 1; index < runs; index += 1) {
    const id = `${textIn(run, "id")}-${index}`;
    insert("runs", { ...run, id, created_at: Number(run["created_at"]) - 1000 * index });
    insert("inputs", { ...input, run_id: id });
  }
  database.exec("commit");
  database.close();
}

/** The start, the steps of the second iteration as often as needed, and the end. */
function* longJournal(journal: readonly Row[], entries: number): Generator<Row> {
  const isStart = (row: Row): boolean => textIn(row, "body").includes('"type":"turn-started"');
  const starts = journal.flatMap((row, index) => (isStart(row) ? [index] : []));
  const [, second = 0, third = 0] = starts;
  const iteration = journal.slice(second, third);
  const [before, after] = [journal.slice(0, second), journal.slice(third)];
  const middle = Math.max(0, entries - before.length - after.length);
  let seq = 0;
  for (const row of before) yield { ...row, seq: (seq += 1) };
  for (let index = 0; index < middle; index += 1) yield { ...iteration[index % iteration.length], seq: (seq += 1) };
  for (const row of after) yield { ...row, seq: (seq += 1) };
}

function textIn(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}
