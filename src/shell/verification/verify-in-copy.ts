import { checkInCopy } from "../seal/check-in-copy.ts";
import type { RunSeal } from "../seal/run-seal.ts";
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
  { seal, candidate, label }: SealedClaim & { label: string },
): Promise<Found> {
  const { context, signal } = run;
  const log = run.openLog(label);
  const wallMs = run.withinTime(external.timeoutMs);
  const search = searchOutput([external.outputContains, external.outputNotContains].filter((text) => text !== null));
  const { command, workingDir } = external;
  const check = {
    candidate,
    command,
    workingDir,
    turnMarker: run.newMarker(),
    wallMs,
    log,
    signal,
    keep: "both" as const,
    onOutput: (chunk: Uint8Array) => search.add(chunk),
    problemOf(end: Parameters<typeof judged>[1]["end"]) {
      const { isPassed, reason } = judged(external, { end, wallMs, search });
      return isPassed ? null : reason.replace(/\.$/u, "");
    },
  };
  const ended = await checkInCopy(seal, check, context);
  if (ended === "cut") return "cut";
  const { end, verdict, told } = ended;
  const facts = judged(external, { end, wallMs, search });
  const tests = verdict.tests === null ? {} : { tests: verdict.tests };
  const kept = { logFile: log?.logFile ?? null, evidence: end.evidence, isSealed: true as const, ...tests };
  const { isPassed } = verdict;
  return { ...facts, ...kept, output: told, isPassed, reason: isPassed ? facts.reason : verdict.reason };
}
