import { join } from "node:path";
import type { Verdict } from "../../core/verification/verdict.ts";
import type { VerifiedCheck } from "../../core/verification/verified/verification.ts";
import { hashFile } from "./hash-file.ts";

/** A verdict as a verification keeps it. `folder`: the state folder that its evidence lies in. */
export function verifiedCheck(folder: string, gate: string, verdict: Verdict): VerifiedCheck {
  const { name, isPassed, exitCode, isTimedOut, durationMs, reason, tests, evidence, output } = verdict;
  return {
    gate,
    name,
    isPassed,
    isSealed: verdict.isSealed === true,
    isUnverified: verdict.isUnverified === true,
    exitCode,
    isTimedOut,
    durationMs,
    reason,
    tests: tests ?? null,
    output: "text" in output ? output.text : "",
    log: typeof evidence === "string" ? hashFile(join(folder, evidence)) : null,
  };
}
