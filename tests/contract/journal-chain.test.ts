import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ChainCheck } from "../../src/core/journal/chain.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { checkChain } from "./check-chain.ts";
import { ada, createRun, everyoneLives, sampleRun, sampleStep, start } from "./store-samples.ts";

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "ralph-chain-"));
  const store = await openSqliteStore({ folder });
  await createRun(store, sampleRun("a"), ada, everyoneLives);
  await store.commit(sampleStep("a", 1, 1));
  await store.note({ runId: "a", epoch: 1, at: start, level: "warning", text: "\u001B[31mred\u001B[0m ✔" });
  await store.commit(sampleStep("a", 1, 2));
  await store.commit(sampleStep("a", 1, 3));
  await store.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Changes the database behind the store's back; what one test changed is undone for the next look. */
async function checkAfter(change: (database: DatabaseSync) => void): Promise<ChainCheck> {
  const database = new DatabaseSync(join(folder, "ralph.db"));
  database.exec("begin");
  change(database);
  const row = database.prepare("select journal_hash from runs").get();
  database.exec("commit");
  database.close();
  const store = await openSqliteStore({ folder });
  const { head } = await store.readChain("a", 0, 1);
  const found = await checkChain(store, "a");
  await store.close();
  expect(row?.["journal_hash"]).toBe(head);
  return found;
}

function bodies(): { seq: number; body: string }[] {
  const database = new DatabaseSync(join(folder, "ralph.db"), { readOnly: true });
  const rows = database.prepare("select seq, body from journal order by seq").all();
  database.close();
  return rows.map(({ seq, body }) => ({ seq: Number(seq), body: String(body) }));
}

it("finds a changed byte, whichever entry and byte it is", async () => {
  for (const { seq, body } of bodies()) {
    const write = (text: string) => (database: DatabaseSync) =>
      void database.prepare("update journal set body = ? where seq = ?").run(text, seq);
    // Every seventh byte keeps the test quick; each kind of character is among them.
    for (let at = 0; at < body.length; at += 7) {
      const flipped = String.fromCodePoint((body.codePointAt(at) ?? 0) ^ 0x20);
      const found = await checkAfter(write(`${body.slice(0, at)}${flipped}${body.slice(at + 1)}`));
      expect({ at, body, found }).toMatchObject({ found: { isIntact: false, seq } });
    }
    expect(await checkAfter(write(body))).toMatchObject({ isIntact: true });
  }
});

it("finds an entry that was deleted, the last one too", async () => {
  for (const seq of [4, 2, 1]) {
    const found = await checkAfter((database) => void database.prepare("delete from journal where seq = ?").run(seq));
    expect(found).toMatchObject({ isIntact: false, seq });
  }
});

it("finds two entries that changed places, also with their hashes", async () => {
  const found = await checkAfter((database) => {
    database.exec("update journal set seq = 30 where seq = 3; update journal set seq = 3 where seq = 4");
    database.exec("update journal set seq = 4 where seq = 30");
  });
  expect(found).toMatchObject({ isIntact: false, seq: 3 });
});

it.each(["at = at + 1", "kind = 'step2'", "version = version + 1", "hash = null"])(
  "finds an entry with another %s",
  async (change) => {
    const found = await checkAfter((database) => database.exec(`update journal set ${change} where seq = 2`));
    expect(found).toMatchObject({ isIntact: false, seq: 2 });
  },
);
