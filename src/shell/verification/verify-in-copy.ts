import { judgeSealedCheck } from "../../core/verification/sealed/judge-check.ts";
import { runCheckCommand, shellArgv } from "../processes/run-check-command.ts";
import type { OpenSeal } from "../seal/open-seal.ts";
import type { RunSeal } from "../seal/run-seal.ts";
import { runSealedCheck } from "../seal/sealed-checks.ts";
import type { Found } from "./found.ts";
import { type External, judged } from "./judge-external.ts";
import { searchOutput } from "./search-output.ts";
import type { VerificationRun, VerifyInCopy } from "./verification-run.ts";

/** Where the commands of a claim run sealed, and on which tree. */
export type SealedClaim = { seal: RunSeal; candidate: string };

/** How commands of a claim are verified where the agent never was. */
export function verifierInCopy(claim: SealedClaim): VerifyInCopy {
  return (external, run, label) => verifyInCopy(external, run, { ...claim, label });
}

async function verifyInCopy(
  external: External,
  run: VerificationRun,
  { seal: runSeal, candidate, label }: SealedClaim & { label: string },
): Promise<Found> {
  const seal = await runSeal.open();
  const { context, signal } = run;
  const { settings } = context.frozen;
  const log = run.openLog(label);
  const wallMs = run.withinTime(external.timeoutMs);
  const search = searchOutput([external.outputContains, external.outputNotContains].filter((text) => text !== null));
  const turnMarker = run.newMarker();
  const { command, workingDir } = external;
  const order = { candidate, variant: "A" as const, command, workingDir, turnMarker };
  const ended = await runSealedCheck(seal, order, ({ command: told, context: place, onOutput }) => {
    const { cwd, env, processes } = place;
    const output = { charsMax: settings.outputTruncateChars, keep: "both" as const };
    const onStdout = (chunk: Uint8Array): void => {
      search.add(chunk);
      onOutput(chunk);
    };
    const check = { argv: shellArgv(told), cwd, env, stdin: null, turnMarker, wallMs, log, output, onStdout };
    return runCheckCommand(check, { processes, killGraceMs: context.killGraceMs, signal });
  });
  const { end } = ended;
  if (end.kind === "cut") return "cut";
  const facts = judged(external, { end, wallMs, search });
  const verdict = judgeSealedCheck({
    exitCode: facts.exitCode,
    problem: facts.isPassed ? null : facts.reason.replace(/\.$/u, ""),
    report: ended.report,
    inventory: inventoryOf(seal, command),
    rule: settings.seal.tests,
    touched: ended.touched,
  });
  runSeal.results(candidate).set(command, { ...ended, verdict });
  const tests = verdict.tests === null ? {} : { tests: verdict.tests };
  const kept = { logFile: log?.logFile ?? null, evidence: end.evidence, isSealed: true as const, ...tests };
  const { isPassed } = verdict;
  return { ...facts, ...kept, isPassed, reason: isPassed ? facts.reason : verdict.reason };
}

function inventoryOf({ record }: OpenSeal, command: string): (typeof record.checks)[number]["tests"] {
  return record.checks.find((each) => each.command === command)?.tests ?? null;
}
