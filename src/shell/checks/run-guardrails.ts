import { constants } from "node:os";
import type { KeepText } from "../ports.ts";
import type { Disk, ProcessEnd, Processes } from "../ports.ts";
import { logName } from "../../core/checks/slug.ts";
import type { Verdict } from "../../core/checks/verdict.ts";
import type { Guardrail, Settings } from "../../core/settings/settings.ts";
import { captureOutput } from "./captured-output.ts";

/** What guardrails need from around them. */
export type GuardrailRun = {
  processes: Processes;
  disk: Disk;
  keepText: KeepText;
  projectDir: string;
  env: Readonly<Record<string, string>>;
  settings: Settings;
  iteration: number;
  wallMs: number | null;
  marker: string;
  killGraceMs: number;
  signal: AbortSignal;
  /** A look before the first turn leaves no log. */
  hasLogs: boolean;
  /** Told when a guardrail starts and how it ended. */
  onProgress: (progress: { command: string; verdict: Verdict | null }) => void;
};

/** Full output of a guardrail kept on disk; beyond it head and tail. A failing build rarely prints a tenth of it. */
const logBytesMax = 256 * 1024 * 1024;

/** Runs every guardrail in order, whatever the ones before said (S1-43). A cut stops after the one at work. */
export async function runGuardrails(run: GuardrailRun): Promise<{ verdicts: Verdict[]; isCut: boolean }> {
  const taken = new Set<string>();
  const verdicts: Verdict[] = [];
  for (const [index, guardrail] of run.settings.guardrails.entries()) {
    if (run.signal.aborted) return { verdicts, isCut: true };
    run.onProgress({ command: guardrail.command, verdict: null });
    const logFile = run.hasLogs ? `.ralph/${logName(run.iteration, guardrail.command, taken)}` : null;
    const verdict = await runGuardrail(run, { index, guardrail, logFile });
    if (verdict === null) return { verdicts, isCut: true };
    verdicts.push(verdict);
    run.onProgress({ command: guardrail.command, verdict });
  }
  return { verdicts, isCut: false };
}

/** Null when it was cut. */
async function runGuardrail(
  run: GuardrailRun,
  { index, guardrail, logFile }: { index: number; guardrail: Guardrail; logFile: string | null },
): Promise<Verdict | null> {
  const { outputTruncateChars, outputTruncate } = run.settings;
  const output = captureOutput(outputTruncateChars, outputTruncate);
  const log = logFile === null ? null : run.disk.openLog(`${run.projectDir}/${logFile}`, logBytesMax);
  const take = (chunk: Uint8Array): Promise<void> | undefined => {
    output.add(chunk);
    return log?.write(chunk);
  };
  const start = await run.processes.start({
    argv: shellArgv(guardrail.command),
    cwd: run.projectDir,
    env: run.env,
    stdin: null,
    marker: run.marker,
    idleMs: null,
    wallMs: run.wallMs,
    killGraceMs: run.killGraceMs,
    onStdout: take,
    onStderr: take,
  });
  if (!start.isStarted) {
    await log?.close();
    const facts = { exitCode: 127, isTimedOut: false, durationMs: 0 };
    return {
      index,
      name: guardrail.command,
      isPassed: false,
      ...facts,
      reason: start.message,
      output: { text: start.message },
      logFile,
    };
  }
  const cut = (): void => start.process.cut();
  run.signal.addEventListener("abort", cut, { once: true });
  if (run.signal.aborted) cut();
  const end = await start.process.ended;
  run.signal.removeEventListener("abort", cut);
  await log?.close();
  if (end.isCut) return null;
  const exitCode = exitCodeOf(end);
  return {
    index,
    name: guardrail.command,
    isPassed: exitCode === 0,
    exitCode,
    isTimedOut: end.timedOut !== null,
    durationMs: end.durationMs,
    reason: exitCode === 0 ? "passed" : `"${guardrail.command}" exited with code ${exitCode}`,
    output: await run.keepText(output.text()),
    logFile,
  };
}

/**
 * A guardrail is a shell command by definition (S1-52); everything else in ralph is argv. The outer shell joins the two
 * outputs before it becomes `sh -c COMMAND`: two pipes would lose which line came first.
 */
export function shellArgv(command: string, platform: NodeJS.Platform = process.platform): string[] {
  return platform === "win32" ? ["cmd", "/c", command] : ["sh", "-c", 'exec sh -c "$1" 2>&1', "sh", command];
}

/** One number for people: 124 after a timeout, 128 plus the signal, else the exit code. */
function exitCodeOf(end: ProcessEnd): number {
  if (end.timedOut !== null) return 124;
  if (end.exitCode !== null) return end.exitCode;
  const signals: Record<string, number> = constants.signals;
  return 128 + (signals[end.signal ?? ""] ?? 0);
}
