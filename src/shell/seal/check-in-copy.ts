import type { TestRule } from "../../core/verification/inventory/compare-tests.ts";
import { matchPaths } from "../../core/verification/protect/path-glob.ts";
import { judgeSealedCheck } from "../../core/verification/sealed/judge-check.ts";
import { toldOutput } from "../../core/verification/sealed/told-output.ts";
import { type CheckCommand, type CommandEnd, runCheckCommand } from "../processes/run-check-command.ts";
import type { OpenSeal, SealedContent } from "./open-seal.ts";
import type { RunSeal, SealedResult } from "./run-seal.ts";
import { runSealedCheck, type SealedCheckEnd } from "./sealed-checks.ts";

/** One command of a check in the sealed copy. */
export type CopyCommand = SealedContent &
  Pick<CheckCommand, "turnMarker" | "wallMs" | "log"> & {
    command: string;
    /** Sees every byte of both outputs. */
    onOutput?: (chunk: Uint8Array) => void;
    /** From the project; absent: the project itself. */
    workingDir?: string;
    signal: AbortSignal;
    isAfresh?: true;
    /** Which part of long output is kept; absent: as the settings say. */
    keep?: CheckCommand["output"]["keep"];
  };

/** What of a run a command in the copy needs. */
export type CopyContext = {
  killGraceMs: number;
  frozen: {
    settings: {
      outputTruncateChars: number;
      outputTruncate: CheckCommand["output"]["keep"];
      seal: { tests: TestRule; allow: readonly string[] };
    };
  };
};

/** How a command ended, except that it was cut off. */
export type CopyEnd = Exclude<CommandEnd, { kind: "cut" }>;

/** A check of a claim on the tests of the base, and how whoever asks for it reads its end: the reason against it, or null. */
export type CopyCheck = Omit<CopyCommand, "variant" | "overlay" | "isAfresh"> & {
  problemOf: (end: CopyEnd) => string | null;
};

/** Runs a check of a claim in the copy, judges it against the base and keeps the result for the steps that follow it. */
export async function checkInCopy(
  runSeal: RunSeal,
  { problemOf, ...order }: CopyCheck,
  context: CopyContext,
): Promise<(SealedResult & { end: CopyEnd; told: string }) | "cut"> {
  const seal = await runSeal.open();
  const ended = await runInCopy(seal, { ...order, variant: "A" }, context);
  const { end } = ended;
  if (end.kind === "cut") return "cut";
  const tree = await seal.written({ candidate: order.candidate, variant: "A" });
  const base = seal.record.checks.find(({ command }) => command === order.command);
  const verdict = judgeSealedCheck({
    exitCode: end.kind === "ended" ? end.exitCode : 127,
    problem: problemOf(end),
    report: ended.report,
    inventory: base?.tests ?? null,
    counted: base?.counted ?? [],
    flaky: base?.flaky ?? [],
    rule: context.frozen.settings.seal.tests,
    touched: ended.touched,
    changedTests: tree.changedTests,
    allowed: await allowedFiles(seal, context),
  });
  const result = { ...ended, end, verdict };
  runSeal.results(order.candidate).set(order.command, result);
  const output = end.kind === "ended" ? end.output : end.message;
  return { ...result, told: verdict.isPassed ? output : toldOutput({ reason: verdict.reason, tree, output }) };
}

/** Files of the base that the agent may change. */
export async function allowedFiles(seal: OpenSeal, { frozen }: CopyContext): Promise<string[]> {
  const { allow } = frozen.settings.seal;
  return allow.length === 0 ? [] : [...(await seal.files(seal.record.base)).keys()].filter(matchPaths(allow));
}

/** Runs a command in the copy. Rejects when the copy cannot be made. */
export function runInCopy(seal: OpenSeal, order: CopyCommand, context: CopyContext): Promise<SealedCheckEnd> {
  const { turnMarker, wallMs, log, signal, onOutput, keep, workingDir = "", ...check } = order;
  const { settings } = context.frozen;
  const output = { charsMax: settings.outputTruncateChars, keep: keep ?? settings.outputTruncate };
  return runSealedCheck(seal, { ...check, workingDir, turnMarker }, ({ run, context: place }) => {
    const { cwd, env, processes } = place;
    const both = (take: CheckCommand["onStdout"]) => (chunk: Uint8Array) => {
      onOutput?.(chunk);
      take?.(chunk);
    };
    const seen = { onStdout: both(run.onStdout), onStderr: both(run.onStderr) };
    const started = { ...run, ...seen, cwd, env, stdin: null, turnMarker, wallMs, log, output };
    return runCheckCommand(started, { processes, killGraceMs: context.killGraceMs, signal });
  });
}
