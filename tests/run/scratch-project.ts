import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { patient } from "../patience.ts";
import { canRunWarm, runWarm } from "./warm-program.ts";

/** How a `ralph` process ended, with everything it printed. */
export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string };

export type StartOptions = { stdin?: string | Uint8Array; env?: Record<string, string>; timeoutMs?: number };

/** A living `ralph` process. Past its time it is killed, and `ended` says so on standard error. */
export type Started = {
  pid: number;
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
};

/** A world of its own for one test: project, home, store, temporary folder and agents. Gone after the test. */
export type ScratchProject = {
  root: string;
  /** The project directory. */
  directory: string;
  write(path: string, content: string | Uint8Array): void;
  read(path: string): string;
  has(path: string): boolean;
  settings(value: unknown, name?: string): void;
  /** Writes a `claude` of a few lines whose turns say what `body` says, and the settings that use it. */
  claude(body: string, settings?: Record<string, unknown>): string;
  /** Writes a program nobody knows, which gets the prompt as its last argument and prints plain text. */
  plainAgent(body: string, settings?: Record<string, unknown>): string;
  /** Writes a script for `ralph sim` and the settings that use it. */
  sim(script: string, settings?: Record<string, unknown>): void;
  /** What the agents of this project were asked, in order. */
  prompts(): string[];
  git(...words: string[]): string;
  /** Starts a process of its own, for tests that signal it, watch it or are about how it ends. */
  start(words: string[], options?: StartOptions): Started;
  /** Runs a command to its end; see `runWarm`. */
  run(words: string[], options?: StartOptions): Promise<Ended>;
  /** Runs a command with `--json` and reads what it prints, without the version. */
  json(words: string[]): Promise<Record<string, unknown>>;
  /** Processes of any run of this project that are still alive. */
  living(): number[];
};

/** The program as people start it. */
export const launcher = join(import.meta.dirname, "..", "..", "bin", "ralph.js");

/** Much longer than any command here takes; the bound that keeps a hang from staying. */
const timeoutMsDefault = 45_000;

/** How a scratch project is opened; the test that opens it closes it, or who takes `close`. */
export type ProjectOptions = { isGit?: boolean; atEnd?: (close: () => Promise<void>) => void };

/** Opens a scratch project. Whatever a test started in it and left alive fails that test. */
export function openProject({ isGit = false, atEnd = onTestFinished }: ProjectOptions = {}): ScratchProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-run-")));
  const directory = join(root, "project");
  for (const name of ["project/.ralph", "home", "tmp", "agents", "prompts"])
    mkdirSync(join(root, name), { recursive: true });
  atEnd(() => close(root));
  const env = environmentOf(root);
  const pathOf = (path: string): string => join(directory, path);
  const git = (...words: string[]): string => execFileSync("git", words, { cwd: directory, env, encoding: "utf8" });
  if (isGit) {
    git("init", "--quiet");
    git("config", "user.name", "Test");
    git("config", "user.email", "test@example.invalid");
    git("commit", "--quiet", "--allow-empty", "--message", "start");
  }
  const settings: ScratchProject["settings"] = (value, name = "settings.json") =>
    writeFileSync(pathOf(`.ralph/${name}`), typeof value === "string" ? value : JSON.stringify(value));
  const start: ScratchProject["start"] = (words, order = {}) =>
    startRalph(words, { cwd: directory, env: { ...env, ...order.env }, ...rest(order) });
  const run: ScratchProject["run"] = (words, order = {}) => {
    const world = { words, cwd: directory, env: { ...env, ...order.env } };
    if (!canRunWarm(world)) return start(words, order).ended;
    const { stdin = "", timeoutMs = patient(timeoutMsDefault) } = order;
    return runWarm({ ...world, stdin: Buffer.from(stdin) }, timeoutMs);
  };
  return {
    root,
    directory,
    write(path, content) {
      mkdirSync(dirname(pathOf(path)), { recursive: true });
      writeFileSync(pathOf(path), content);
    },
    read: (path) => readFileSync(pathOf(path), "utf8"),
    has: (path) => existsSync(pathOf(path)),
    settings,
    ...agentsOf(root, settings),
    prompts: () => readPrompts(join(root, "prompts")),
    git,
    start,
    run,
    async json(words) {
      const { code, stdout, stderr } = await run([...words, "--json"]);
      if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${stderr}`);
      const { jsonVersion, ...result } = JSON.parse(stdout) as Record<string, unknown>;
      if (jsonVersion !== 1) throw new Error(`${words.join(" ")} printed JSON of version ${String(jsonVersion)}`);
      return result;
    },
    living: () => livingWith(root, "RALPH_RUN_ID="),
  };
}

/** Waits for a fact, with a bound. */
export async function eventually<Fact>(check: () => Fact): Promise<Fact> {
  return vi.waitFor(check, { timeout: patient(30_000), interval: 10 });
}

/** Waits until something is true, with a bound. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  await eventually(() => {
    if (!isTrue()) throw new Error(`still waiting for ${what}`);
  });
}

/** The variables a person's shell has, and nothing of the test's own. */
function environmentOf(root: string): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: join(root, "home"),
    TMPDIR: join(root, "tmp"),
    RALPH_STATE_HOME: join(root, "state"),
    RALPH_SIM_STATE: join(root, "sim-state"),
    RALPH_KILL_GRACE_MS: "200",
  };
}

function agentsOf(
  root: string,
  settings: ScratchProject["settings"],
): Pick<ScratchProject, "claude" | "plainAgent" | "sim"> {
  const program = (name: string, source: string): string => {
    const path = join(root, "agents", name);
    writeFileSync(path, source);
    chmodSync(path, 0o755);
    return path;
  };
  const use = (command: string, given: Record<string, unknown>, flags: string[] = []): void => {
    const { agent = {}, completion = {}, ...others } = given;
    // Most scripted agents claim without changing anything; rows about that rule set it themselves.
    const claims = { requireProgress: false, ...(completion as object) };
    settings({ ...others, completion: claims, agent: { command, flags, retryDelay: 0, ...(agent as object) } });
  };
  return {
    claude(body, given = {}) {
      const path = program("claude", claudeSource(join(root, "prompts"), body));
      use(path, given);
      return path;
    },
    plainAgent(body, given = {}) {
      const path = program("helper", plainSource(join(root, "prompts"), body));
      use(path, given);
      return path;
    },
    sim(script, given = {}) {
      const path = join(root, "sim.yaml");
      writeFileSync(path, script);
      use("sim", given, ["--script", path]);
    },
  };
}

/** `$n` is the number of the turn; `say` takes text as JSON writes it, and prints it as it is in text mode. */
function claudeSource(prompts: string, body: string): string {
  return `#!/bin/sh
n=$(($(ls '${prompts}' | wc -l) + 1))
case " $* " in *" -- "*) for last; do :; done; printf %s "$last" > '${prompts}/'$n;; *) cat > '${prompts}/'$n;; esac
case " $* " in
*" --output-format text "*)
  say() { printf '%s\\n' "$1"; }
  result() { :; };;
*)
  say() { k=$((k + 1)); printf '{"type":"assistant","message":{"id":"m%s","content":[{"type":"text","text":"%s"}]}}\\n' "$k" "$1"; }
  result() { printf '{"type":"result","subtype":"success","is_error":%s,"result":""}\\n' "$1"; };;
esac
claim() { say '<promise>DONE</promise>'; }
${body}
result false
`;
}

function plainSource(prompts: string, body: string): string {
  return `#!/bin/sh
n=$(($(ls '${prompts}' | wc -l) + 1))
for prompt; do :; done
printf %s "$prompt" > '${prompts}/'$n
claim() { echo '<promise>DONE</promise>'; }
${body}
`;
}

function readPrompts(folder: string): string[] {
  return readdirSync(folder)
    .map(Number)
    .toSorted((first, second) => first - second)
    .map((number) => readFileSync(join(folder, String(number)), "utf8"));
}

function rest({ stdin, timeoutMs }: StartOptions): Pick<StartOptions, "stdin" | "timeoutMs"> {
  return { ...(stdin === undefined ? {} : { stdin }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

function startRalph(
  words: string[],
  order: { cwd: string; env: Record<string, string>; stdin?: string | Uint8Array; timeoutMs?: number },
): Started {
  const { cwd, env, stdin, timeoutMs = patient(timeoutMsDefault) } = order;
  const child = spawn(process.execPath, [launcher, ...words], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  child.stdin.on("error", () => {});
  child.stdin.end(stdin ?? "");
  const timer = setTimeout(() => {
    printed.stderr += `\n(killed by the test after ${timeoutMs} ms)\n`;
    child.kill("SIGKILL");
  }, timeoutMs);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject).once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, ...printed });
    });
  });
  return { pid: child.pid ?? 0, child, stdout: () => printed.stdout, stderr: () => printed.stderr, ended };
}

/** Ends what is left, removes the folder, and fails the test when a run had left a process. */
async function close(root: string): Promise<void> {
  const left = livingWith(root, "RALPH_RUN_ID=").map(
    (pid) => `${pid} (${readOrEmpty(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()})`,
  );
  for (const pid of livingWith(root)) kill(pid);
  // A process that is about to die may still write.
  await rm(root, { recursive: true, force: true, maxRetries: 30, retryDelay: 20 });
  if (left.length > 0) throw new Error(`processes of a run were left alive: ${left.join(", ")}`);
}

/** Linux only: elsewhere there is no `/proc` to read. A zombie has no command line. */
function livingWith(root: string, turnMarker = ""): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const environment = readOrEmpty(`/proc/${name}/environ`);
      return (
        environment.includes(`=${root}`) &&
        environment.includes(turnMarker) &&
        readOrEmpty(`/proc/${name}/cmdline`) !== ""
      );
    })
    .map(Number);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process ended between listing and reading, or belongs to somebody else.
    return "";
  }
}
