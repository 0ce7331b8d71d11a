import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Adapter, type Answer, answerOf, fillIn } from "./adapter.ts";
import type { Base, Case } from "./read-case.ts";
import { takeSteps } from "./take-steps.ts";

/** What a tool made of a case. `isUndone`: it completed, and the work is right, because the tool undid the cheat. */
export type Run = { answer: Answer; isUndone: boolean; durationMs: number; output: string };

/** A case with its file and its base. */
export type Prepared = { path: string; base: Base; case: Case };

/** Where a tool works, and for how long it may. Whoever makes the folder removes it. */
export type Bounds = { folder: string; limitMs: number };

/** Lets a loop tool work on a case in a repository and a home of its own. */
export async function runCase(prepared: Prepared, adapter: Adapter, bounds: Bounds): Promise<Run> {
  const tries = adapter.must === "complete" ? prepared.case.tries : 1;
  let run = await tryCase(prepared, adapter, bounds);
  for (let count = 1; count < tries && run.answer === "refused"; count += 1)
    run = await tryCase(prepared, adapter, bounds);
  return run;
}

const living = new Set<number>();

/** Ends every tool that still runs, with all that it started in its own group. */
export function endTools(): void {
  for (const pid of living)
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
}

async function tryCase(
  { path, base, case: fool }: Prepared,
  adapter: Adapter,
  { folder, limitMs }: Bounds,
): Promise<Run> {
  const scratch = mkdtempSync(join(folder, "case-"));
  try {
    const project = join(scratch, "work", "words");
    const env = environmentOf(scratch, folder);
    makeProject(project, [...base.steps, ...fool.steps], env);
    const words = {
      fool: import.meta.dirname,
      root: resolve(import.meta.dirname, "../.."),
      node: process.execPath,
      project,
      agent: writeAgent(scratch, path, adapter.claim),
      check: fool.check ?? base.check,
      task: base.task,
      turns: String(fool.turns.length),
      claim: adapter.claim,
    };
    for (const [name, content] of Object.entries(fillIn(adapter.files, words))) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), typeof content === "string" ? content : JSON.stringify(content, null, 2));
    }
    const startedAt = performance.now();
    const { code, output } = await runTool(fillIn(adapter.argv, words), { cwd: project, env, limitMs });
    const durationMs = performance.now() - startedAt;
    const answer = answerOf(adapter, code);
    const isUndone = answer === "completed" && fool.truth !== null && isTrue(fool.truth, project, env);
    return { answer, isUndone, durationMs, output };
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A small environment with a home that the agent may fill, and a folder in it that is first on the path. */
function environmentOf(scratch: string, folder: string): Record<string, string> {
  const home = join(scratch, "home");
  const bin = join(home, ".local", "bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(scratch, "tmp"));
  const path = [bin, ...toolFolders(), process.env["PATH"] ?? ""].join(":");
  return {
    PATH: path,
    HOME: home,
    TMPDIR: join(scratch, "tmp"),
    RALPH_STATE_HOME: join(scratch, "state"),
    LANG: "C.UTF-8",
    GIT_AUTHOR_NAME: "fool",
    GIT_AUTHOR_EMAIL: "fool@example.org",
    GIT_COMMITTER_NAME: "fool",
    GIT_COMMITTER_EMAIL: "fool@example.org",
    // go refuses to work without a cache, and a home of its own would compile its standard library for each case.
    GOCACHE: join(folder, "go-cache"),
  };
}

let folders: string[] | null = null;

/** Where the real programs lie when those on the path only look for them in the user's home (pyenv, rustup). */
function toolFolders(): string[] {
  folders ??= [
    outputOf(["python3", "-c", "import os, sys; print(os.path.dirname(sys.executable))"]),
    outputOf(["rustc", "--print", "sysroot"]).replace(/(?<=.)$/, "/bin"),
  ].filter((folder) => folder.startsWith("/"));
  return folders;
}

function outputOf([program = "", ...parameters]: string[]): string {
  return (spawnSync(program, parameters, { encoding: "utf8" }).stdout ?? "").trim();
}

function makeProject(project: string, steps: Base["steps"], env: Record<string, string>): void {
  mkdirSync(project, { recursive: true });
  const commit = "git init -q -b main\ngit add -A\ngit commit -q -m base\n";
  takeSteps(project, [...steps, { do: "run", script: commit }], env);
}

function writeAgent(scratch: string, casePath: string, claim: string): string {
  const path = join(scratch, "agent");
  const words = [process.execPath, join(import.meta.dirname, "agent.ts"), casePath, join(scratch, "turn"), claim];
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  writeFileSync(path, `#!/bin/sh\nexec ${quoted.join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

type Place = { cwd: string; env: Record<string, string>; limitMs: number };

/** The last characters of a tool's output that are kept for `--json`. */
const outputCharsMax = 4000;

function runTool(argv: string[], { cwd, env, limitMs }: Place): Promise<{ code: number | null; output: string }> {
  const [program = "", ...parameters] = argv;
  const child = spawn(program, parameters, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-outputCharsMax);
    });
  return new Promise((settle, reject) => {
    child.once("error", reject);
    const { pid } = child;
    if (pid === undefined) return;
    living.add(pid);
    const timer = setTimeout(() => process.kill(-pid, "SIGKILL"), limitMs);
    // Not "close": a process that the agent left behind may hold the pipes.
    child.once("exit", (code) => {
      clearTimeout(timer);
      living.delete(pid);
      settle({ code, output });
    });
  });
}

function isTrue(truth: string, project: string, env: Record<string, string>): boolean {
  return spawnSync("/bin/sh", ["-c", truth], { cwd: project, env, stdio: "ignore" }).status === 0;
}
