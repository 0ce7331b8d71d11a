import type { KeepText } from "../ports.ts";
import type { Disk, Processes } from "../ports.ts";
import { logName } from "../../core/checks/slug.ts";
import type { Verdict } from "../../core/checks/verdict.ts";
import type { Guardrail, Settings } from "../../core/settings/settings.ts";
import { runCheckCommand, shellArgv } from "./run-check-command.ts";

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
  const end = await runCheckCommand(
    {
      argv: shellArgv(guardrail.command),
      cwd: run.projectDir,
      env: run.env,
      stdin: null,
      marker: run.marker,
      wallMs: run.wallMs,
      logPath: logFile === null ? null : `${run.projectDir}/${logFile}`,
      output: { charsMax: outputTruncateChars, keep: outputTruncate },
    },
    run,
  );
  const about = { index, name: guardrail.command, logFile };
  switch (end.kind) {
    case "cut":
      return null;
    case "not-started": {
      const facts = { isPassed: false, exitCode: 127, isTimedOut: false, durationMs: 0 };
      return { ...about, ...facts, reason: end.message, output: { text: end.message } };
    }
    case "ended": {
      const { exitCode, isTimedOut, durationMs } = end;
      const isPassed = exitCode === 0;
      const reason = isPassed ? "passed" : `"${guardrail.command}" exited with code ${exitCode}`;
      const output = await run.keepText(end.output);
      return { ...about, isPassed, exitCode, isTimedOut, durationMs, reason, output };
    }
  }
}
