import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A world of its own for one run: home, store, temp folder and a repository whose check fails. */
export type Scratch = {
  root: string;
  home: string;
  project: string;
  /** The whole environment a run may see; nothing of the caller's own reaches it. */
  environment: Readonly<Record<string, string>>;
  remove(): void;
};

/** What the check prints as long as nobody repaired `add.sh`. */
export const checkFailureText = "add.sh 2 3 must print 5 but printed -1";

/** The line at fault and the line that repairs it. */
export const faultyLine = "echo $(($1 - $2))";
export const repairedLine = "echo $(($1 + $2))";

/** Creates folders and repository. The settings are committed, so the work tree is clean when the run begins. */
export function createScratch(settings: Record<string, unknown>): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-agents-")));
  const home = join(root, "home");
  const project = join(root, "project");
  const temporary = join(root, "tmp");
  for (const folder of [home, temporary, join(project, ".ralph")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(project, "add.sh"), `${faultyLine}\n`);
  writeFileSync(join(project, "check.sh"), checkScript);
  writeFileSync(join(project, ".ralph", "settings.json"), JSON.stringify(settings, null, 2));
  const environment = {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: home,
    // codex refuses its helper programs when its home lies under the temp folder, so this one stands beside it.
    TMPDIR: temporary,
    RALPH_STATE_HOME: join(root, "state"),
  };
  commitAll(project, environment);
  return { root, home, project, environment, remove: () => rmSync(root, { recursive: true, force: true }) };
}

const checkScript = `printed=$(sh add.sh 2 3)
if [ "$printed" != 5 ]; then
  echo "add.sh 2 3 must print 5 but printed $printed"
  exit 1
fi
`;

function commitAll(project: string, environment: Record<string, string>): void {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: project, env: environment, stdio: "pipe" });
  git("init", "--quiet");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  git("add", "--all");
  git("commit", "--quiet", "--message", "start");
}
