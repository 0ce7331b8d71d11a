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
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Spend } from "../../src/core/agents/spend.ts";
import type { OutcomeName } from "../../src/core/run/outcome.ts";
import type { RunKind } from "../../src/core/contract/run-kind.ts";
import { rememberNotes } from "../../src/shell/stores/seen-notes.ts";
import { patient } from "../patience.ts";
import { canRunWarm, runWarm } from "../run/warm-program.ts";
import { putPaths } from "./put-paths.ts";

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

type Ended = { code: number | null; stdout: string; stderr: string };

/** A fixture in a scratch folder, with the built program to open it. */
export type Fixture = {
  manifest: Manifest;
  root: string;
  state: string;
  /** The environment of its commands. */
  env: Record<string, string>;
  ralph(words: string[], input?: string): Ended;
  /** The same for a command without input, without the start of a process where it needs none. */
  run(words: string[]): Promise<Ended>;
  /** The version of a run's state as it is stored, not as it is read. */
  storedVersion(id: string): number;
  /** Lets the agent of a scenario finish when its run is resumed. */
  letGo(scenario: string): void;
  remove(): void;
};

const fixturesFolder = join(import.meta.dirname, "..", "fixtures", "replay");
const launcher = join(import.meta.dirname, "..", "..", "bin", "ralph.js");

/** Much longer than any command takes; the bound that keeps a hang from staying. */
const timeoutMsIdle = 60_000;

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
  putPaths(state, { from: manifest.root, to: root });
  // Its user was told what changed: these tests are about what the store holds.
  rememberNotes(state);
  const env = environmentOf(root);
  const ralph: Fixture["ralph"] = (words, input = "") => {
    const end = spawnSync(process.execPath, [launcher, ...words], {
      cwd: root,
      env,
      input,
      encoding: "utf8",
      timeout: patient(timeoutMsIdle),
    });
    return { code: end.status, stdout: end.stdout, stderr: end.stderr };
  };
  return {
    manifest,
    root,
    state,
    env,
    ralph,
    async run(words) {
      const order = { words, cwd: root, env, stdin: Buffer.from("") };
      return canRunWarm(order) ? runWarm(order, patient(timeoutMsIdle)) : ralph(words);
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
