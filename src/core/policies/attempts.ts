import { noPromise } from "../verification/verification-texts.ts";
import type { Attempt } from "../run/attempt.ts";
import type { RunState } from "../run/state.ts";
import { isClaimed } from "../claims/judge-claim.ts";
import { wrongPromiseNote } from "../prompts/prompt-texts.ts";
import { describeTurnEnd, isFailedTurn } from "../agents/turn-report.ts";
import { firstRed, isAnyClaim } from "./gates.ts";

/** How many attempts are kept (CW-2M). */
export const attemptsKept = 3;

/** A reason is a sentence; the whole evidence is in the journal. */
const reasonCharsMax = 500;

/** The newest attempts with this iteration's; of a supervised task refused DONE files are kept longest. */
export function withAttempt(state: RunState): Attempt[] {
  const all = [...state.attempts, failedAttempt(state)];
  if (all.length <= attemptsKept) return all;
  const idle = state.policy.claimBy === "done-file" ? all.findIndex(({ isClaimed: isClaim }) => !isClaim) : 0;
  return all.filter((_, index) => index !== Math.max(0, idle));
}

/** The iteration's attempt, once it is known that it did not complete the run. */
export function failedAttempt(state: RunState): Attempt {
  const { facts, policy, iteration } = state;
  const isTagged = facts.report !== null && isClaimed(facts.report.claims, policy);
  const isClaim = policy.claimBy === "done-file" ? isAnyClaim(state) : isTagged;
  return { iteration, isClaimed: isClaim, isVerified: false, reason: failure(state, isClaim).slice(0, reasonCharsMax) };
}

function failure({ facts, policy }: RunState, isClaim: boolean): string {
  const red = firstRed({ facts, policy });
  const failed = facts.report !== null && isFailedTurn(facts.report) ? facts.report : null;
  if (failed !== null && policy.claimBy !== "done-file") return "The turn failed";
  if (isClaim) return red?.reason ?? "The claim was not accepted";
  if (failed !== null) return `The last run ${describeTurnEnd(failed)}`;
  const wrong = facts.report?.claims.wrongPromise ?? null;
  return wrong === null ? noPromise : wrongPromiseNote(wrong, policy.completionText);
}
