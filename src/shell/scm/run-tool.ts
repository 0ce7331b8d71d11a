import { captureOutput } from "../checks/captured-output.ts";
import type { RunContext } from "../drivers/run-context.ts";

/** How a helper program ended. `exitCode` is -1 when it could not run, was cut or took too long. */
export type ToolEnd = {
  exitCode: number;
  /** The last of standard output and standard error together, for people. */
  output: string;
  /** Standard output alone, from its beginning, for programs. */
  stdout: string;
  isFound: boolean;
  isTimedOut: boolean;
};

/** Runs a program by argv with the environment and the limits of a delivery. */
export type Tool = (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<ToolEnd>;

type ToolOrder = {
  argv: readonly string[];
  /** Set on top of the environment of every tool. */
  env?: Readonly<Record<string, string>> | undefined;
  marker: string;
  signal: AbortSignal;
};

/** A step of delivery may take this long (design §8): a push over a slow line, but not a hidden password prompt. */
const toolWallMs = 5 * 60_000;
const outputCharsMax = 10_000;
/** Names of changed files are compared: a repository with ten thousand of them fits. */
const stdoutCharsMax = 1_000_000;

/** Where a tool runs: a run, or a command that needs no run. */
export type ToolPlace = Pick<RunContext, "runId" | "env" | "killGraceMs"> & {
  processes: Pick<RunContext["processes"], "start">;
  frozen: Pick<RunContext["frozen"], "projectDir">;
};

/** Runs a program by argv in the project, without a terminal: nothing it asks can hang the run. */
export async function runTool(context: ToolPlace, { argv, env, marker, signal }: ToolOrder): Promise<ToolEnd> {
  const output = captureOutput(outputCharsMax, "tail");
  const stdout = captureOutput(stdoutCharsMax, "head");
  const start = await context.processes.start({
    argv,
    cwd: context.frozen.projectDir,
    env: { ...context.env, ...quiet, ...env, RALPH_RUN_ID: context.runId, RALPH_TURN: marker },
    stdin: null,
    marker,
    idleMs: null,
    wallMs: toolWallMs,
    killGraceMs: context.killGraceMs,
    onStdout: (chunk) => {
      output.add(chunk);
      stdout.add(chunk);
      return undefined;
    },
    onStderr: (chunk) => {
      output.add(chunk);
      return undefined;
    },
  });
  if (!start.isStarted) {
    const isFound = start.kind !== "not-found";
    return { exitCode: -1, output: start.message, stdout: "", isFound, isTimedOut: false };
  }
  const cut = (): void => start.process.cut();
  signal.addEventListener("abort", cut, { once: true });
  if (signal.aborted) cut();
  const end = await start.process.ended;
  signal.removeEventListener("abort", cut);
  return {
    exitCode: end.exitCode ?? -1,
    output: output.text(),
    stdout: stdout.text(),
    isFound: true,
    isTimedOut: end.timedOut !== null,
  };
}

/** No program of a delivery may ask: git, and the programs that open pull requests, fail instead. */
const quiet = {
  GIT_TERMINAL_PROMPT: "0",
  GH_PROMPT_DISABLED: "1",
  GH_NO_UPDATE_NOTIFIER: "1",
  NO_PROMPT: "1",
  NO_COLOR: "1",
};

/** Why a call failed, in one sentence with the program's last words. */
export function describeFailure(what: string, end: ToolEnd): string {
  if (end.isTimedOut) return `${what} took longer than ${toolWallMs / 60_000} minutes and was ended.`;
  const last = end.output.trim().split("\n").at(-1) ?? "";
  return end.exitCode === -1 ? `${what} could not run: ${last}` : `${what} exited with code ${end.exitCode}: ${last}`;
}
