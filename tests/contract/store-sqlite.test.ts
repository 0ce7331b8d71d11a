import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, it } from "vitest";
import type { Store } from "../../src/shell/ports.ts";
import { migrate, migrations } from "../../src/shell/stores/sqlite/migrate.ts";
import { readVersion, schemaVersion } from "../../src/shell/stores/sqlite/schema-version.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { artefactPath } from "../../src/shell/stores/artefact-path.ts";
import { version2 } from "../replay/version-2-run.ts";
import { sampleTask } from "./store-contract-tasks.ts";
import {
  ada,
  createRun,
  day,
  endingStep,
  everyoneLives,
  only,
  sampleRun,
  sampleState,
  sampleStep,
  start,
} from "./store-samples.ts";

/** A run as the first schema holds it. */
const firstRun = version2();
const oldRun = `
  insert into runs values ('old', 'run', '/project', null, ${start}, 1, '${jsonOf({ ...firstRun.state, version: 1 })}',
    null, ${start}, null);
  insert into inputs values ('old', '${jsonOf(firstRun.frozen)}');`;

/** JSON as a text of SQL. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value).replaceAll("'", "''");
}

const folders: string[] = [];
const opened: Store[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

it("is found again as it was left when it is opened anew (R-44)", async () => {
  const folder = newFolder();
  const first = await open(folder);
  await createRun(first, sampleRun("a"), ada, everyoneLives);
  await first.commit(sampleStep("a", 1, 3));
  await first.ask("a", "cancel", start);
  const hash = await first.putBlob("long text");
  await first.close();
  const second = await open(folder);
  expect(await only(second, "a")).toMatchObject({ owner: ada, epoch: 1, state: sampleState(3) });
  expect(await second.readJournal("a", 0, 10)).toHaveLength(1);
  expect(await second.readRequests("a", 0)).toHaveLength(1);
  expect(await second.getBlob(hash)).toBe("long text");
});

it("keeps folder, streams and database for the user alone", async () => {
  const folder = join(newFolder(), "deep", "ralph");
  const store = await open(folder);
  await createRun(store, sampleRun("a"), ada, everyoneLives);
  expect([modeOf(folder), modeOf(join(folder, "streams"))]).toEqual(["700", "700"]);
  expect(["ralph.db", "ralph.db-wal", "ralph.db-shm"].map((name) => modeOf(join(folder, name)))).toEqual([
    "600",
    "600",
    "600",
  ]);
});

it("writes ahead, so that readers never wait, and can shrink", async () => {
  const folder = newFolder();
  await open(folder);
  const database = new DatabaseSync(join(folder, "ralph.db"));
  expect(database.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(database.prepare("pragma auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
  database.close();
});

it("serves processes that create it at the same time and then write at once", async () => {
  const folder = newFolder();
  const writers = ["a", "b", "c"].map((runId) => startWriter(folder, runId, 60));
  for (const writer of writers) expect(await writer.ended).toEqual({ code: 0, signal: null });
  const store = await open(folder);
  for (const runId of ["a", "b", "c"]) {
    expect((await only(store, runId)).state.iteration).toBe(60);
    expect((await store.readJournal(runId, 0, 100)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
  }
});

it("keeps a request that another process makes between the commits of a driver (R-42)", async () => {
  const folder = newFolder();
  const writer = startWriter(folder, "a", 200);
  await writer.acknowledged(5);
  const store = await open(folder);
  await store.ask("a", "cancel", start);
  expect(await writer.ended).toEqual({ code: 0, signal: null });
  expect(await store.readRequests("a", 0)).toEqual([{ seq: 1, request: "cancel", at: start }]);
  expect((await only(store, "a")).state.iteration).toBe(200);
});

it("is whole after each of 20 kills in the middle of commits, with every acknowledged step (R-40, R-44)", async () => {
  const folder = newFolder();
  for (let round = 1; round <= 20; round += 1) {
    const writer = startWriter(folder, "a", 1_000_000);
    await writer.acknowledged(1 + ((round * 7) % 20));
    writer.child.kill("SIGKILL");
    expect(await writer.ended).toEqual({ code: null, signal: "SIGKILL" });
    const store = await open(folder);
    const { state, epoch } = await only(store, "a");
    const journal = await store.readJournal("a", 0, 1_000_000);
    // A commit may have been stored whose answer was not written any more, but one at most.
    expect(state.iteration - writer.last()).toBeOneOf([0, 1]);
    expect(journal).toHaveLength(state.iteration);
    expect(journal.at(-1)).toMatchObject({ kind: "step", observation: { effectId: state.iteration } });
    expect(epoch).toBeGreaterThanOrEqual(round);
    await store.close();
    expect(checkIntegrity(folder)).toEqual([{ integrity_check: "ok" }]);
  }
});

it("refuses a database of a newer version, naming the version, and leaves it alone", async () => {
  const folder = newFolder();
  await (await open(folder)).close();
  exec(folder, "pragma user_version = 99; create table future (id text)");
  await expect(open(folder)).rejects.toMatchObject({
    code: "store",
    message: expect.stringContaining("version 99") as unknown,
    hint: expect.stringContaining("Update ralph") as unknown,
  });
  const database = new DatabaseSync(join(folder, "ralph.db"));
  expect(readVersion(database).version).toBe(99);
  database.close();
});

it("opens a database of an older version and keeps its runs", async () => {
  const folder = newFolder();
  const old = await open(folder);
  await createRun(old, sampleRun("a"), ada, everyoneLives);
  await old.close();
  const database = new DatabaseSync(join(folder, "ralph.db"));
  const next = [...migrations, "alter table runs add column label text not null default 'none'"];
  await migrate(database, "ralph.db", next);
  expect(readVersion(database).version).toBe(next.length);
  expect(database.prepare("select id, label from runs").all()).toEqual([{ id: "a", label: "none" }]);
  database.close();
});

it("opens a store that was made before there were tasks, keeps its runs and takes tasks (S2-05)", async () => {
  const folder = newFolder();
  const path = join(folder, "ralph.db");
  const database = new DatabaseSync(path);
  await migrate(database, path, migrations.slice(0, 1));
  database.close();
  exec(folder, oldRun);
  const store = await open(folder);
  expect(await only(store, "old")).toMatchObject({ directory: "/project", createdAt: start });
  expect(await store.listTasks("/project")).toEqual([]);
  await store.putTasks("/project", [{ task: sampleTask("a"), expected: null }]);
  expect(await store.getTask("/project", "a")).toEqual(sampleTask("a"));
});

it("refuses a task that a newer version stored, by name", async () => {
  const folder = newFolder();
  const store = await open(folder);
  await store.putTasks("/project", [{ task: sampleTask("a"), expected: null }]);
  exec(folder, "update tasks set shape = 9");
  const refusal = { code: "store", message: "Task a was stored by version 9; this ralph knows versions up to 1." };
  await expect(store.getTask("/project", "a")).rejects.toMatchObject(refusal);
  await expect(store.listTasks("/project")).rejects.toMatchObject(refusal);
});

it("leaves an older database as it was when a migration fails", async () => {
  const folder = newFolder();
  await (await open(folder)).close();
  const database = new DatabaseSync(join(folder, "ralph.db"));
  const broken = [...migrations, "create table extra (id text); create table extra (id text)"];
  await expect(migrate(database, "ralph.db", broken)).rejects.toThrow(/already exists/);
  expect(readVersion(database).version).toBe(schemaVersion);
  expect(database.prepare("select 1 from sqlite_master where name = 'extra'").all()).toEqual([]);
  database.close();
});

it("finds the newest runs of a kind without reading the others", async () => {
  const folder = newFolder();
  await (await open(folder)).close();
  const database = new DatabaseSync(join(folder, "ralph.db"));
  const question = "explain query plan select * from runs where kind = ? order by created_at desc, id desc limit 200";
  expect(database.prepare(question).get("supervise")?.["detail"]).toContain("INDEX runs_by_kind (kind=?)");
  database.close();
});

it("knows the number of its migrations", () => {
  expect(schemaVersion).toBe(migrations.length);
});

it("refuses a file that is no database, names it and leaves it intact (R-40)", async () => {
  const folder = newFolder();
  const path = join(folder, "ralph.db");
  const garbage = "This is what a torn disk may leave. ".repeat(500);
  writeFileSync(path, garbage);
  await expect(open(folder)).rejects.toMatchObject({
    code: "store",
    message: expect.stringContaining(path) as unknown,
    hint: expect.stringContaining("Move") as unknown,
  });
  expect(readFileSync(path, "utf8")).toBe(garbage);
});

it("reports damage inside the database instead of taking it for an empty store (R-40)", async () => {
  const folder = newFolder();
  const store = await open(folder);
  await createRun(store, sampleRun("a"), ada, everyoneLives);
  await store.close();
  const path = join(folder, "ralph.db");
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4096);
  writeFileSync(path, bytes);
  const damaged = await open(folder);
  await expect(damaged.list({ directory: null, limit: null })).rejects.toMatchObject({
    code: "store",
    message: expect.stringContaining("damaged") as unknown,
  });
  await damaged.close();
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

it("refuses an empty or missing database beside a log that still holds data, and leaves the log (R-40)", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "ralph.db-wal"), "data");
  await expect(open(folder)).rejects.toMatchObject({ code: "store" });
  writeFileSync(join(folder, "ralph.db"), "");
  await expect(open(folder)).rejects.toMatchObject({ code: "store" });
  expect(readFileSync(join(folder, "ralph.db-wal"), "utf8")).toBe("data");
});

it("refuses the database of another program and leaves it as it is", async () => {
  const folder = newFolder();
  exec(folder, "create table notes (id text)");
  const before = readFileSync(join(folder, "ralph.db"));
  await expect(open(folder)).rejects.toMatchObject({
    code: "store",
    message: expect.stringContaining("another program") as unknown,
  });
  expect(readFileSync(join(folder, "ralph.db")).equals(before)).toBe(true);
});

it("says what to do when the folder cannot be made (R-41)", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  await expect(open(join(file, "ralph"))).rejects.toMatchObject({
    code: "store",
    hint: expect.stringContaining("RALPH_STATE_HOME") as unknown,
  });
});

it("removes raw streams and evidence of a pruned run, and those that lost their run, and no others", async () => {
  const folder = newFolder();
  const store = await open(folder);
  for (const [id, at] of [
    ["old", start],
    ["young", start + 20 * day],
  ] as const) {
    await createRun(store, sampleRun(id, { directory: id }), ada, everyoneLives);
    await store.commit(endingStep(id, 1, at));
    await store.release(id, 1);
  }
  for (const id of ["old", "young", "lost"]) {
    writeStream(folder, id, 1000);
    writeEvidence(folder, id, 1000);
  }
  writeEvidence(folder, "checked", 1000);
  expect(await store.prune({ days: 30, bytesMax: 1024 ** 3 }, start + 31 * day)).toEqual(["old"]);
  const isThere = (id: string) => [existsSync(streamPath(folder, id, 1)), existsSync(join(folder, "runs", id))];
  const none = [false, false];
  expect(["old", "lost", "young"].map(isThere)).toEqual([none, none, [true, true]]);
  expect(isThere("checked")).toEqual(none);
});

it("leaves files alone whose driver is about to store the run", async () => {
  const folder = newFolder();
  const store = await open(folder);
  writeStream(folder, "beginning", 1000);
  const made = statSync(dirname(streamPath(folder, "beginning", 1))).mtimeMs;
  await store.prune({ days: 30, bytesMax: 0 }, made + 60_000);
  expect(existsSync(streamPath(folder, "beginning", 1))).toBe(true);
  await store.prune({ days: 30, bytesMax: 0 }, made + day);
  expect(existsSync(streamPath(folder, "beginning", 1))).toBe(false);
});

it("counts raw streams into its size", async () => {
  const folder = newFolder();
  const store = await open(folder);
  await createRun(store, sampleRun("a"), ada, everyoneLives);
  await store.commit(endingStep("a", 1, start));
  await store.release("a", 1);
  const keep = { days: 30, bytesMax: 2_000_000 };
  expect(await store.prune(keep, start)).toEqual([]);
  writeStream(folder, "a", 2_000_000);
  expect(await store.prune(keep, start)).toEqual(["a"]);
});

it("counts evidence into its size", async () => {
  const folder = newFolder();
  const store = await open(folder);
  await createRun(store, sampleRun("a"), ada, everyoneLives);
  await store.commit(endingStep("a", 1, start));
  await store.release("a", 1);
  writeEvidence(folder, "a", 2_000_000);
  expect(await store.prune({ days: 30, bytesMax: 2_000_000 }, start)).toEqual(["a"]);
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-store-"));
  folders.push(folder);
  return folder;
}

async function open(folder: string): Promise<Store> {
  const store = await openSqliteStore({ folder });
  opened.push(store);
  return store;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function exec(folder: string, statements: string): void {
  const database = new DatabaseSync(join(folder, "ralph.db"));
  database.exec(statements);
  database.close();
}

function checkIntegrity(folder: string): unknown {
  const database = new DatabaseSync(join(folder, "ralph.db"));
  const result = database.prepare("pragma integrity_check").all();
  database.close();
  return result;
}

function streamPath(folder: string, runId: string, effectId: number): string {
  return join(folder, artefactPath({ runId, kind: "stream", name: String(effectId) }));
}

function writeStream(folder: string, runId: string, bytes: number): void {
  const path = streamPath(folder, runId, 1);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "x".repeat(bytes));
}

function writeEvidence(folder: string, runId: string, bytes: number): void {
  const path = join(folder, artefactPath({ runId, kind: "check", name: "run/001_make" }));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "x".repeat(bytes));
}

type Writer = {
  child: ChildProcess;
  ended: Promise<{ code: number | null; signal: string | null }>;
  /** Resolves when so many more commits were acknowledged; rejects when the writer ends before. */
  acknowledged(count: number): Promise<void>;
  /** The iteration acknowledged last. */
  last(): number;
};

function startWriter(folder: string, runId: string, count: number): Writer {
  const script = fileURLToPath(new URL("store-writer.ts", import.meta.url));
  const child = spawn(process.execPath, [script, folder, runId, `${count}`], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const seen = { text: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    seen.text += chunk;
  });
  // "close" comes after all output was read.
  const ended = once(child, "close").then(() => ({ code: child.exitCode, signal: child.signalCode }));
  const lines = () => seen.text.split("\n").slice(0, -1);
  const gone = ended.then(() => "gone" as const);
  return {
    child,
    ended,
    acknowledged: async (wanted) => {
      while (lines().length < wanted)
        if ((await Promise.race([once(child.stdout, "data"), gone])) === "gone")
          throw new Error("the writer ended early");
    },
    last: () => Number(lines().at(-1)),
  };
}
