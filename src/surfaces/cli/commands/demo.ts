import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { createGit } from "../../../shell/git/git.ts";
import { describeFailure } from "../../../shell/git/run-tool.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { demoFiles, demoGitConfig, demoPrompt } from "../demo/demo-project.ts";

/** This program as it was started: it may not be on the PATH. */
const program = process.argv[1] ?? "";

/** `ralph demo`: the main job on embedded defaults. Starts `ralph run` as a child and prints only its output. */
export default async function demo(_input: Input): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-demo-"));
  const project = join(folder, "project");
  for (const [path, content] of Object.entries(demoFiles)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  await git(project, ["init", "-q"]);
  for (const [key, value] of Object.entries(demoGitConfig)) await git(project, ["config", key, value]);
  await git(project, ["add", "-A"]);
  await git(project, ["commit", "-qm", "A function with a bug and a test that fails"]);
  const state = join(folder, "state");
  process.stderr.write(`A scratch repository with a failing test: ${project}\n$ ralph run -p "${demoPrompt}"\n\n`);
  const exitCode = await runRalph(project, state);
  process.stderr.write(`\nThe commit it made:\n${await git(project, ["log", "--oneline", "-n", "1"])}`);
  process.stderr.write(`\nLook at the run:\n  RALPH_STATE_HOME=${state} node ${program} show -C ${project}\n`);
  process.stderr.write(`Yours: cd your-project && ralph run --agent claude -p "Make the tests pass"\n`);
  return exitCode;
}

async function git(projectDir: string, words: string[]): Promise<string> {
  const place = { ...wireProgram(), runId: "demo", killGraceMs: 500, frozen: { projectDir } };
  const end = await createGit(place, { turnMarker: `demo.${process.pid}` })(words);
  if (end.exitCode === 0) return end.stdout;
  throw new RalphError("scm", describeFailure(`git ${words[0] ?? ""}`, end), "The demo needs git.");
}

/** The child is the ordinary program with its own environment; a Ctrl-C reaches it from the terminal. */
function runRalph(project: string, state: string): Promise<number> {
  // The test runner of the demo project must not assume that it runs inside another one.
  const { NODE_TEST_CONTEXT: _unused, ...env } = process.env;
  const child = spawn(process.execPath, [program, "run", "-C", project, "-p", demoPrompt], {
    stdio: "inherit",
    env: { ...env, RALPH_STATE_HOME: state, PATH: `${dirname(process.execPath)}:${env["PATH"] ?? ""}` },
  });
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 130));
  });
}
