import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { demoFiles, demoGitConfig, demoPrompt } from "../../src/app/setup/demo-project.ts";
import { launcher } from "./scratch-project.ts";
import { patient } from "../patience.ts";

type Answer = { code: number | null; stdout: string; stderr: string };

/** A folder for one test, the environment of a plain shell in it, and ralph called from it. */
function openFolder(): { root: string; ralph: (cwd: string, ...words: string[]) => Answer; git: typeof git } {
  const root = mkdtempSync(join(tmpdir(), "ralph-demo-run-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: root,
    TMPDIR: root,
    RALPH_STATE_HOME: join(root, "state"),
    RALPH_SIM_STATE: join(root, "sim"),
  };
  const ralph = (cwd: string, ...words: string[]): Answer => {
    const end = spawnSync(process.execPath, [launcher, ...words], {
      cwd,
      env,
      encoding: "utf8",
      timeout: patient(50_000),
    });
    return { code: end.status, stdout: end.stdout, stderr: end.stderr };
  };
  return { root, ralph, git };
}

function git(cwd: string, ...words: string[]): string {
  return execFileSync("git", words, { cwd, encoding: "utf8" });
}

/** A copy of the demo's project with some of its files changed. */
function writeDemo(root: string, changed: Record<string, string>): string {
  const project = join(root, "project");
  for (const [path, content] of Object.entries({ ...demoFiles, ...changed })) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  git(project, "init", "-q");
  for (const [key, value] of Object.entries(demoGitConfig)) git(project, "config", key, value);
  git(project, "add", "-A");
  git(project, "commit", "-qm", "start");
  return project;
}

it("the demo shows a lie refused, the feedback, the fix, the commit and verified completion, with 0 (S1-45)", () => {
  const { root, ralph } = openFolder();
  const { code, stdout, stderr } = ralph(root, "demo");
  expect(stderr).toMatch(/guardrail failed \(exit code 1, .*\), APPEND: node --test/);
  expect(stderr).toContain("claim refused: node --test failed; the agent will be told why");
  expect(stderr).toMatch(/guardrail passed \(.*\): node --test/);
  expect(stderr).toContain("completed: Claim accepted in iteration 2: node --test green.");
  expect(stderr).toMatch(/The commit it made:\n[0-9a-f]{7,} Add instead of subtracting\n/);
  expect(stdout).toContain("The test fails because add subtracts.");
  expect(code).toBe(0);
  // The very line it prints works in a shell, whether or not ralph is on the PATH.
  const look = /RALPH_STATE_HOME=(\S+) node (\S+) show -C (\S+)/.exec(stderr);
  expect(look).not.toBeNull();
  const [, state = "", program = "", project = ""] = look ?? [];
  const shown = execFileSync(process.execPath, [program, "show", "-C", project], {
    env: { PATH: process.env["PATH"], HOME: root, RALPH_STATE_HOME: state },
    encoding: "utf8",
  });
  expect(shown).toContain("completed: Claim accepted in iteration 2: node --test green.");
  expect(shown).toContain("told: a failed guardrail");
});

it("the demo leaves its project where it says, and nothing else in the temporary folder (S1-45)", () => {
  const { root, ralph, git: call } = openFolder();
  const { stderr } = ralph(root, "demo");
  const [, project = ""] = /A scratch repository with a failing test: (\S+)/.exec(stderr) ?? [];
  expect(call(project, "log", "--format=%s")).toBe(
    "Add instead of subtracting\nA function with a bug and a test that fails\n",
  );
  expect(call(project, "status", "--porcelain")).toBe("");
  const others = readdirSync(root).filter((name) => name.startsWith("ralph-") && !project.includes(name));
  expect(others).toEqual([]);
});

it("without its guardrail the demo's lie is accepted: the guardrail is what refuses it (S1-44, S1-45)", () => {
  const { root, ralph } = openFolder();
  const settings = {
    ...(JSON.parse(demoFiles[".ralph/settings.json"] ?? "") as object),
    guardrails: [],
    completion: { requireProgress: false },
  };
  const project = writeDemo(root, { ".ralph/settings.json": JSON.stringify(settings) });
  const { code, stderr } = ralph(project, "run", "-p", demoPrompt);
  expect(stderr).toContain("completed, unverified: Claim accepted in iteration 1: no check is configured.");
  expect(code).toBe(0);
  expect(git(project, "show", "HEAD:src/add.js")).toContain("first - second");
});

it("with a test that stays red the demo's agent is never believed, and the run ends with 1 (S1-44, S1-47)", () => {
  const { root, ralph } = openFolder();
  const test = `${demoFiles["test/add.test.js"]}\ntest("never", () => assert.fail("still red"));\n`;
  const project = writeDemo(root, { "test/add.test.js": test });
  const { code, stderr } = ralph(project, "run", "-p", demoPrompt);
  expect(stderr.match(/claim refused: node --test failed/g)).toHaveLength(5);
  expect(stderr).toContain("exhausted: No accepted claim within 5 iterations.");
  expect(code).toBe(1);
});
