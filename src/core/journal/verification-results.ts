import { noPromise, wrongPromiseText } from "../verification/verification-texts.ts";
import { isProof } from "../verification/verdict-word.ts";
import { isClaimed } from "../claims/judge-claim.ts";
import type { Policy } from "../run/policy.ts";
import type { IterationView, RunView } from "./run-view.ts";

/** The record of one iteration (S2-14), with a promise or without (CW-2O). */
export type VerificationResult = {
  iteration: number;
  promise_found: boolean;
  verified: boolean;
  /** Every criterion passed, but none of them by evidence. */
  by_claim_alone?: true;
  reason: string;
  /** ISO 8601. */
  timestamp: string;
};

/** The record of a run's verification, folded from its journal. An iteration that is still at work has no result yet. */
export function verificationResults(view: Pick<RunView, "iterations">, policy: Policy): VerificationResult[] {
  return view.iterations.flatMap((iteration) => {
    const { report, endedAt } = iteration;
    if (report === null || endedAt === null) return [];
    const isPromiseFound = isClaimed(report.claims, policy);
    const verified = isPromiseFound && iteration.criteria.length > 0 && iteration.criteria.every(isGreen);
    return [
      {
        iteration: iteration.number,
        promise_found: isPromiseFound,
        verified,
        ...(verified && !iteration.criteria.some(isProof) ? { by_claim_alone: true as const } : {}),
        reason: isPromiseFound ? reasonOf(iteration) : unclaimedReason(report.claims.wrongPromise, policy),
        timestamp: new Date(endedAt).toISOString(),
      },
    ];
  });
}

function isGreen({ isPassed }: { isPassed: boolean }): boolean {
  return isPassed;
}

function unclaimedReason(wrongPromise: string | null, { completionText }: Policy): string {
  return wrongPromise === null ? noPromise : wrongPromiseText(wrongPromise, completionText);
}

/** A claim that a guardrail refused never came to its criteria. */
function reasonOf({ guardrails, criteria }: IterationView): string {
  const all = [...guardrails, ...criteria];
  const failed = all.find((verdict) => !verdict.isPassed);
  return (failed ?? criteria.at(-1))?.reason ?? "not verified";
}
