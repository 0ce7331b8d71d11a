import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterEach, expect, it } from "vitest";
import { leaseMs } from "../../src/shell/stores/lease-rule.ts";
import { migrate, migrations } from "../../src/shell/stores/sqlite/migrate.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import type { Store } from "../../src/shell/ports.ts";
import { ada, bob, everyoneLives, nobodyLives, only, sampleRun, sampleStep, start, takeRun } from "./store-samples.ts";

const folders: string[] = [];
const opened: Store[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const store of opened.splice(0)) await store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

it("reads a lock of the former version as a lease that time never ends, and renews it (R-44)", async () => {
  const store = await open(await formerFolder());
  expect(await only(store, "old")).toMatchObject({ owner: ada, epoch: 1, expiresAt: null });
  await store.renew({ runId: "old", epoch: 1 });
  expect(await only(store, "old")).toMatchObject({ owner: ada, epoch: 1, expiresAt: start + leaseMs });
});

it("goes by the process alone where a lease of the former version has no end (R-24)", async () => {
  const store = await open(await formerFolder());
  const far = { ...bob, host: "there" };
  expect(await store.take("old", far, [])).toMatchObject({ isTaken: false, unknown: [], holder: { owner: ada } });
  expect(await takeRun(store, "old", bob, everyoneLives)).toMatchObject({ isTaken: false });
  expect(await takeRun(store, "old", bob, nobodyLives)).toMatchObject({
    isTaken: true,
    record: { owner: bob, expiresAt: start + leaseMs },
  });
});

it("does not stand still for long when it cannot renew because another program holds the store (R-41)", async () => {
  const folder = newFolder();
  const store = await open(folder);
  await store.create(sampleRun("a"), ada, []);
  const other = new DatabaseSync(join(folder, "ralph.db"));
  other.exec("begin immediate");
  const began = performance.now();
  const reason = { code: "store", message: expect.stringContaining("stayed locked by another process") as unknown };
  await expect(store.renew({ runId: "a", epoch: 1 })).rejects.toMatchObject(reason);
  expect(performance.now() - began).toBeLessThan(30_000);
  other.exec("rollback");
  other.close();
  await store.renew({ runId: "a", epoch: 1 });
});

it.each([
  ["on the host of a dead driver", "here"],
  ["on another host after the lease has ended", "there"],
])("lets one of several processes take a run, %s (R-24)", async (_, host) => {
  const folder = newFolder();
  const store = await open(folder);
  await store.create(sampleRun("a"), ada, []);
  const takers = [1, 2, 3, 4].map(() => startTaker(folder, host));
  for (const taker of takers) await taker.line();
  for (const taker of takers) taker.child.stdin.write("go\n");
  const answers: unknown[] = [];
  for (const taker of takers) answers.push(JSON.parse(await taker.line()));
  for (const taker of takers) await taker.closed;
  expect(answers).toHaveLength(4);
  expect(answers.filter((each) => isDeepStrictEqual(each, { isTaken: true, isRenewed: true }))).toHaveLength(1);
  expect(answers.filter((each) => isDeepStrictEqual(each, { isTaken: false, isRenewed: null }))).toHaveLength(3);
  await expect(store.renew({ runId: "a", epoch: 1 })).rejects.toMatchObject({ code: "lost-lock" });
  await expect(store.commit(sampleStep("a", 1, 1))).rejects.toMatchObject({ code: "lost-lock" });
});

/** A process that takes run "a" when it is told to; `line` is its next line. */
function startTaker(folder: string, host: string) {
  const script = fileURLToPath(new URL("lease-taker.ts", import.meta.url));
  const child = spawn(process.execPath, [script, folder, host, String(start + leaseMs)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await lines.next()).value);
  return { child, line, closed: once(child, "close") };
}

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
