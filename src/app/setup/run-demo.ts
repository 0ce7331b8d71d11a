import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { createGit } from "../../shell/git/git.ts";
import { describeFailure } from "../../shell/git/run-tool.ts";
import type { Machine } from "../../shell/machine.ts";
import { demoFiles, demoGitConfig, demoPrompt } from "./demo-project.ts";

type Program = Pick<Machine, "disk" | "env" | "processes" | "selfArgv">;

/** A scratch repository with a failing test, and a state folder of its own. */
export type Demo = { project: string; state: string };

/** Makes the project of the demo in a new folder. Rejects with a `RalphError` when git cannot do its part. */
export async function makeDemo(program: Program): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-demo-"));
  const project = join(folder, "project");
  for (const [path, content] of Object.entries(demoFiles)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  await git(program, project, ["init", "-q"]);
  for (const [key, value] of Object.entries(demoGitConfig)) await git(program, project, ["config", key, value]);
  await git(program, project, ["add", "-A"]);
  await git(program, project, ["commit", "-qm", "A function with a bug and a test that fails"]);
  return { project, state: join(folder, "state") };
}

/** Runs this program in the demo as a person would, on this terminal, and returns its exit code. */
export async function runDemo({ env, processes, selfArgv }: Program, { project, state }: Demo): Promise<number> {
  // The test runner of the demo project must not assume that it runs inside another one.
  const { NODE_TEST_CONTEXT: _unused, ...own } = env;
  const [node = ""] = selfArgv;
  const end = await processes.runOnTerminal({
    purpose: "tool",
    argv: [...selfArgv, "run", "-C", project, "-p", demoPrompt],
    cwd: process.cwd(),
    env: { ...own, RALPH_STATE_HOME: state, PATH: `${dirname(node)}:${own["PATH"] ?? ""}` },
  });
  if (!end.isStarted) throw new RalphError("file", `${node} cannot be started (${end.message}).`);
  return end.exitCode ?? interruptedCode;
}

/** A signal ended it. */
const interruptedCode = 130;

/** The newest commit of the demo, as git prints it. */
export function demoCommit(program: Program, { project }: Demo): Promise<string> {
  return git(program, project, ["log", "--oneline", "-n", "1"]);
}

async function git(program: Program, projectDir: string, words: string[]): Promise<string> {
  const place = { ...program, runId: "demo", killGraceMs: 500, frozen: { projectDir } };
  const end = await createGit(place, { turnMarker: `demo.${process.pid}` })(words);
  if (end.exitCode === 0) return end.stdout;
  throw new RalphError("scm", describeFailure(`git ${words[0] ?? ""}`, end), "The demo needs git.");
}
