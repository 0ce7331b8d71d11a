import { captureOutput } from "../lib/captured-output.ts";
import type { Processes } from "../ports.ts";

/** How a helper program ended. `exitCode` is -1 when it could not run, was cut or took too long. */
export type ToolEnd = {
  exitCode: number;
  /** The last of standard output and standard error together, for people. */
  output: string;
  /** Standard output alone, from its beginning and without white space at the end, for programs. */
  stdout: string;
  /** False: there was more of standard output than the limit. */
  isWhole: boolean;
  isFound: boolean;
  isTimedOut: boolean;
};

/** Runs a program by argv with the environment and the limits of a delivery. */
export type Tool = (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<ToolEnd>;

/** What to run. */
export type ToolOptions = {
  purpose: "git" | "delivery";
  argv: readonly string[];
  /** Set on top of the environment of every tool. */
  env?: Readonly<Record<string, string>> | undefined;
  /** The project unless told. */
  directory?: string;
  stdin?: string | null;
  stdoutBytesMax?: number;
  wallMs?: number;
  turnMarker: string;
  signal: AbortSignal;
};

/** A step of delivery may take this long: a push over a slow line, but not a hidden password prompt. */
const toolWallMs = 5 * 60_000;
const outputCharsMax = 10_000;
/** Names of files are compared: a repository with a hundred thousand of them fits. */
const stdoutBytesMaxDefault = 64 * 1024 * 1024;

/** Where a tool runs: a run, or a command that needs no run. */
export type ToolContext = {
  runId: string;
  env: Readonly<Record<string, string>>;
  killGraceMs: number;
  processes: Pick<Processes, "start">;
  frozen: { projectDir: string };
};

/** Runs a program by argv in the project, without a terminal: nothing it asks can hang the run. */
export async function runTool(context: ToolContext, options: ToolOptions): Promise<ToolEnd> {
  const { turnMarker, signal } = options;
  const output = captureOutput(outputCharsMax, "tail");
  const stdout = collectBytes(options.stdoutBytesMax ?? stdoutBytesMaxDefault);
  const start = await context.processes.start({
    purpose: options.purpose,
    argv: options.argv,
    cwd: options.directory ?? context.frozen.projectDir,
    env: { ...context.env, ...quiet, ...options.env, RALPH_RUN_ID: context.runId, RALPH_TURN: turnMarker },
    stdin: options.stdin ?? null,
    turnMarker,
    idleMs: null,
    wallMs: options.wallMs ?? toolWallMs,
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
    return { exitCode: -1, output: start.message, stdout: "", isWhole: true, isFound, isTimedOut: false };
  }
  const cut = (): void => start.process.cut();
  signal.addEventListener("abort", cut, { once: true });
  if (signal.aborted) cut();
  const end = await start.process.ended;
  signal.removeEventListener("abort", cut);
  return {
    exitCode: end.exitCode ?? -1,
    output: output.text(),
    ...stdout.result(),
    isFound: true,
    isTimedOut: end.timedOut !== null,
  };
}

function collectBytes(bytesMax: number) {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(chunk: Uint8Array): void {
      if (bytes < bytesMax) chunks.push(Uint8Array.prototype.slice.call(chunk, 0, bytesMax - bytes));
      bytes += chunk.length;
    },
    result: (): Pick<ToolEnd, "stdout" | "isWhole"> => ({
      stdout: Buffer.concat(chunks).toString("utf8").trimEnd(),
      isWhole: bytes <= bytesMax,
    }),
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

/** Why a call failed, in one sentence with the line of the program's output that says so. */
export function describeFailure(what: string, end: ToolEnd): string {
  if (end.isTimedOut) return `${what} took longer than ${toolWallMs / 60_000} minutes and was ended.`;
  const line = tellingLine(end.output);
  if (end.exitCode === -1 && line === "") return `${what} did not end within its time.`;
  return end.exitCode === -1 ? `${what} could not run: ${line}` : exitedWith(what, end.exitCode, line);
}

/** The same for a program whose exit code is known from elsewhere. */
export function describeExit(what: string, exitCode: number, output: string): string {
  return exitedWith(what, exitCode, tellingLine(output));
}

function exitedWith(what: string, exitCode: number, line: string): string {
  return `${what} exited with code ${exitCode}${line === "" ? " and said nothing." : `: ${line}`}`;
}

/** Git says `error:` or `fatal:` first and hints after it; other programs say it last. */
function tellingLine(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isTelling = (line: string): boolean => /^(?:fatal|error):/.test(line);
  return lines.find(isTelling) ?? lines.findLast((line) => !line.startsWith("hint:")) ?? "";
}
