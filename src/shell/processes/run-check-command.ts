import { constants } from "node:os";
import { truncateText } from "../../core/text/truncate.ts";
import type { ProcessEnd, Processes } from "../ports.ts";
import { captureOutput, type CapturedOutput } from "../lib/captured-output.ts";

/** A command of a check: what to run, where, within which limits, and what to keep of its output. */
export type CheckCommand = {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin: string | null;
  turnMarker: string;
  wallMs: number | null;
  /** Where the full output goes; null: nowhere. It is closed when the command has ended. */
  log: CommandLog | null;
  output: { charsMax: number; keep: "head" | "tail" | "both" };
  /** Sees every byte of standard output, for what the two kept ends may not show. */
  onStdout?: (chunk: Uint8Array) => void;
  /** Sees every byte of standard error; it has some only where the shell does not join it to the other output. */
  onStderr?: (chunk: Uint8Array) => void;
  /** The outputs have a pipe each, and the order of their lines is unknown: what is kept is one after the other. */
  outputs?: "apart";
};

/** Takes all output of a command; `close` says where it is kept, relative to the state folder. */
export type CommandLog = {
  write(chunk: Uint8Array): Promise<void> | undefined;
  close(): Promise<string | null>;
};

/** What running a command needs from around it. */
export type CheckTools = { processes: Pick<Processes, "start">; killGraceMs: number; signal: AbortSignal };

/** How a command of a check ended: facts, no judgement. */
export type CommandEnd =
  | { kind: "cut" }
  | { kind: "not-started"; message: string; evidence: string | null }
  | {
      kind: "ended";
      exitCode: number;
      isTimedOut: boolean;
      durationMs: number;
      output: string;
      /** The full output, relative to the state folder. */
      evidence: string | null;
    };

/** Runs a command to its end, in its own group, and ends all of it at its limit or when cut. Must not reject. */
export async function runCheckCommand(command: CheckCommand, tools: CheckTools): Promise<CommandEnd> {
  const output = captureOutputs(command);
  const { log } = command;
  const taker = (kept: CapturedOutput, onChunk: CheckCommand["onStdout"]) => (chunk: Uint8Array) => {
    onChunk?.(chunk);
    kept.add(chunk);
    return log?.write(chunk);
  };
  const start = await tools.processes.start({
    purpose: "check",
    argv: command.argv,
    cwd: command.cwd,
    env: command.env,
    stdin: command.stdin,
    turnMarker: command.turnMarker,
    idleMs: null,
    wallMs: command.wallMs,
    killGraceMs: tools.killGraceMs,
    onStdout: taker(output.stdout, command.onStdout),
    onStderr: taker(output.stderr, command.onStderr),
  });
  if (!start.isStarted) {
    return { kind: "not-started", message: start.message, evidence: (await log?.close()) ?? null };
  }
  const cut = (): void => start.process.cut();
  tools.signal.addEventListener("abort", cut, { once: true });
  if (tools.signal.aborted) cut();
  const end = await start.process.ended;
  tools.signal.removeEventListener("abort", cut);
  const evidence = (await log?.close()) ?? null;
  if (end.isCut) return { kind: "cut" };
  const { durationMs } = end;
  return {
    kind: "ended",
    exitCode: exitCodeOf(end),
    isTimedOut: end.timedOut !== null,
    durationMs,
    output: output.text(),
    evidence,
  };
}

/** What is kept of both outputs: as it comes, or standard output first, so that equal runs have equal output. */
function captureOutputs({ output: { charsMax, keep }, outputs }: Pick<CheckCommand, "output" | "outputs">) {
  const stdout = captureOutput(charsMax, keep);
  if (outputs !== "apart") return { stdout, stderr: stdout, text: () => stdout.text() };
  const stderr = captureOutput(charsMax, keep);
  const texts = (): string[] => [stdout.text(), stderr.text()].filter((text) => text !== "");
  return { stdout, stderr, text: () => truncateText(texts().join("\n"), charsMax, keep) };
}

/**
 * A check is a shell command by definition (S1-52); everything else in ralph is argv. The outer shell joins the two
 * outputs before it becomes `sh -c COMMAND`: two pipes would lose which line came first.
 */
export function shellArgv(command: string, platform: NodeJS.Platform = process.platform): string[] {
  return platform === "win32" ? ["cmd", "/c", command] : ["sh", "-c", 'exec sh -c "$1" 2>&1', "sh", command];
}

/** A shell command whose outputs keep a pipe each. */
export function apartShellArgv(command: string, platform: NodeJS.Platform = process.platform): string[] {
  return platform === "win32" ? ["cmd", "/c", command] : ["sh", "-c", command];
}

/** One number for people: 124 after a timeout, 128 plus the signal, else the exit code. */
function exitCodeOf(end: ProcessEnd): number {
  if (end.timedOut !== null) return 124;
  if (end.exitCode !== null) return end.exitCode;
  const signals: Record<string, number> = constants.signals;
  return 128 + (signals[end.signal ?? ""] ?? 0);
}
