import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Spend } from "../../src/core/agents/spend.ts";
import type { OutcomeName } from "../../src/core/run/outcome.ts";
import type { RunKind } from "../../src/core/contract/run-kind.ts";
import { rememberNotes } from "../../src/shell/stores/seen-notes.ts";
import { patient } from "../patience.ts";

/** A run of a fixture as the version that recorded it left it. */
export type RecordedRun = {
  scenario: string;
  id: string;
  kind: RunKind;
  parentId: string | null;
  outcome: OutcomeName | null;
  iteration: number;
  spend: Spend;
};

export type Manifest = { commit: string; root: string; runs: RecordedRun[]; sessions: string[] };

/** A fixture in a scratch folder, with the built program to open it. */
export type Fixture = {
  manifest: Manifest;
  root: string;
  state: string;
  ralph(words: string[], input?: string): { code: number | null; stdout: string; stderr: string };
  /** The version of a run's state as it is stored, not as it is read. */
  storedVersion(id: string): number;
  /** Lets the agent of a scenario finish when its run is resumed. */
  letGo(scenario: string): void;
  remove(): void;
};

const fixturesFolder = join(import.meta.dirname, "..", "fixtures", "replay");
const launcher = join(import.meta.dirname, "..", "..", "bin", "ralph.js");

/** The names of all fixtures, one for each version that changed what is stored. */
export const fixtureNames: readonly string[] = readdirSync(fixturesFolder);

/** What a fixture says of itself. */
export function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(fixturesFolder, name, "manifest.json"), "utf8")) as Manifest;
}

/** Copies a fixture to a folder of its own; nothing of the recording machine is in it. */
export function openFixture(name: string): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-replay-")));
  const [source, state] = [join(fixturesFolder, name), join(root, "state")];
  const manifest = readManifest(name);
  for (const folder of ["state/streams", "home", "tmp", "go", "hanging"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const each of ["ralph.db", "sessions", "streams"])
    if (existsSync(join(source, each))) cpSync(join(source, each), join(state, each), { recursive: true });
  execFileSync("tar", ["-xzf", join(source, "projects.tar.gz"), "-C", root]);
  putPaths(join(state, "ralph.db"), { from: manifest.root, to: root });
  putPathsInFiles([...sessionFiles(state), ...gitFiles(state)], { from: manifest.root, to: root });
  // Its user was told what changed: these tests are about what the store holds.
  rememberNotes(state);
  const env = environmentOf(root);
  return {
    manifest,
    root,
    state,
    ralph(words, input = "") {
      const end = spawnSync(process.execPath, [launcher, ...words], {
        cwd: root,
        env,
        input,
        encoding: "utf8",
        timeout: patient(60_000),
      });
      return { code: end.status, stdout: end.stdout, stderr: end.stderr };
    },
    storedVersion(id) {
      const database = new DatabaseSync(join(state, "ralph.db"), { readOnly: true });
      const row = database.prepare("select json_extract(state, '$.version') as version from runs where id = ?").get(id);
      database.close();
      return Number(row?.["version"]);
    },
    letGo: (scenario) => writeFileSync(join(root, "go", scenario), ""),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The columns that hold paths. State and journal hold none: hashes stay true, and both still agree. */
const columnsWithPaths = [
  ["runs", "directory"],
  ["inputs", "frozen"],
  ["locks", "directory"],
  ["tasks", "directory"],
] as const;

function putPaths(path: string, { from, to }: { from: string; to: string }): void {
  const database = new DatabaseSync(path);
  const hasTable = (name: string) =>
    database.prepare("select 1 from sqlite_master where name = ?").get(name) !== undefined;
  for (const [table, column] of columnsWithPaths)
    if (hasTable(table)) database.prepare(`update ${table} set ${column} = replace(${column}, ?, ?)`).run(from, to);
  // On another host nobody could tell whether the recorded driver is dead.
  database.prepare("update locks set host = ?").run(hostname());
  database.close();
}

function sessionFiles(state: string): string[] {
  return filesIn(join(state, "sessions"));
}

/** What a run's own store of git objects says of the repository beside it. */
function gitFiles(state: string): string[] {
  return filesIn(join(state, "streams"))
    .flatMap((folder) => ["start.json", "objects/info/alternates"].map((name) => join(folder, "git", name)))
    .filter((path) => existsSync(path));
}

/** Not every version has every folder. */
function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function putPathsInFiles(paths: readonly string[], { from, to }: { from: string; to: string }): void {
  for (const path of paths) writeFileSync(path, readFileSync(path, "utf8").replaceAll(from, to));
}

function environmentOf(root: string): Record<string, string> {
  const person = { name: "Fixture", email: "fixture@example.invalid" };
  return {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: join(root, "home"),
    TMPDIR: join(root, "tmp"),
    RALPH_STATE_HOME: join(root, "state"),
    RALPH_KILL_GRACE_MS: "200",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
  };
}
