import { judgeSealedCheck } from "../../core/verification/sealed/judge-check.ts";
import type { OpenSeal, SealedContent } from "../seal/open-seal.ts";
import { runSealedCheck, type SealedCheckEnd } from "../seal/sealed-checks.ts";
import type { SealedResult } from "../seal/run-seal.ts";
import type { CheckLog } from "../verification/check-log.ts";
import { runCheckCommand, shellArgv } from "../processes/run-check-command.ts";
import type { GateContext } from "./gate-kind.ts";

/** One command of a check in the sealed copy. */
export type SealedCommand = SealedContent & {
  command: string;
  turnMarker: string;
  wallMs: number | null;
  log: CheckLog | null;
  signal: AbortSignal;
  isAfresh?: true;
};

type Context = Pick<GateContext["context"], "frozen" | "killGraceMs">;

/** Runs a command in the copy. Rejects when the copy cannot be made. */
export function runSealedCommand(seal: OpenSeal, order: SealedCommand, context: Context): Promise<SealedCheckEnd> {
  const { turnMarker, wallMs, log, signal, ...check } = order;
  const { settings } = context.frozen;
  const output = { charsMax: settings.outputTruncateChars, keep: settings.outputTruncate };
  return runSealedCheck(seal, { ...check, workingDir: "", turnMarker }, ({ command, context: place, onOutput }) => {
    const { cwd, env, processes } = place;
    const run = { argv: shellArgv(command), cwd, env, stdin: null, turnMarker, wallMs, log, output };
    return runCheckCommand({ ...run, onStdout: onOutput }, { processes, killGraceMs: context.killGraceMs, signal });
  });
}

/** What a command in the copy proves against how it stood on the base. */
export function judgeCommand(seal: OpenSeal, command: string, end: SealedCheckEnd, context: Context): SealedResult {
  const base = seal.record.checks.find((each) => each.command === command);
  const exitCode = end.end.kind === "ended" ? end.end.exitCode : 127;
  const verdict = judgeSealedCheck({
    exitCode,
    problem: problemOf(command, end),
    report: end.report,
    inventory: base?.tests ?? null,
    rule: context.frozen.settings.seal.tests,
    touched: end.touched,
  });
  return { ...end, verdict };
}

function problemOf(command: string, { end }: SealedCheckEnd): string | null {
  if (end.kind === "not-started") return end.message;
  if (end.kind === "cut") return "it was cut off";
  return end.exitCode === 0 ? null : `"${command}" exited with code ${end.exitCode}`;
}
