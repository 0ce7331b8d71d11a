import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, it } from "vitest";
import { leaseMs } from "../../src/shell/stores/lease-rule.ts";
import { migrate, migrations } from "../../src/shell/stores/sqlite/migrate.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import type { Store } from "../../src/shell/ports.ts";
import { ada, only, sampleRun, start } from "./store-samples.ts";

const folders: string[] = [];
const opened: Store[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

it("reads a lock of the former version as a lease that time never ends, and renews it (R-44)", async () => {
  const store = await open(await formerFolder());
  expect(await only(store, "old")).toMatchObject({ owner: ada, epoch: 1, expiresAt: null });
  await store.renew({ runId: "old", epoch: 1 });
  expect(await only(store, "old")).toMatchObject({ owner: ada, epoch: 1, expiresAt: start + leaseMs });
});

/** A state folder of the version before leases, with one run that `ada` holds. */
async function formerFolder(): Promise<string> {
  const folder = newFolder();
  const path = join(folder, "ralph.db");
  const database = new DatabaseSync(path);
  await migrate(database, path, migrations.slice(0, 3));
  const { id, directory, state, frozen } = sampleRun("old");
  database
    .prepare("insert into runs values (?, 'run', ?, null, ?, 1, ?, null, ?, null, null)")
    .run(id, directory, start, JSON.stringify(state), start);
  database.prepare("insert into inputs values (?, ?)").run(id, JSON.stringify(frozen));
  database.prepare("insert into locks values (?, ?, 1, ?, ?, ?)").run(id, directory, ada.pid, ada.startTime, ada.host);
  database.close();
  return folder;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-leases-"));
  folders.push(folder);
  return folder;
}

async function open(folder: string): Promise<Store> {
  const store = await openSqliteStore({ folder, now: () => start });
  opened.push(store);
  return store;
}
