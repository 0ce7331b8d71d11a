import { promiseFound, promiseMissing } from "../../core/verification/verification-texts.ts";
import { createClaimScanner } from "../../core/claims/claim-scanner.ts";
import { isClaimed } from "../../core/claims/judge-claim.ts";
import { isSameText } from "../../core/claims/same-text.ts";
import type { Verification } from "../../core/tasks/completion-spec.ts";
import { type Found, found } from "./found.ts";
import type { VerificationRun } from "./verification-run.ts";

type StringMatch = Extract<Verification, { method: "string_match" }>;

/** Compares the tag's content with the promise (CW-2A); `loose` searches for it anywhere in the text. */
export function verifyStringMatch(match: StringMatch, run: VerificationRun): Found {
  const own = run.criterion.criterion.promise;
  const promise = match.promise ?? own;
  if (run.isClaimEnough) return found(true, promiseFound, { isUnverified: true });
  const isFound = match.isLoose
    ? run.turnText.toLowerCase().includes(promise.toLowerCase())
    : // Criteria are checked only on a claim of the criterion's own promise, so that one needs no second look.
      isSameText(promise, own) || isClaimedIn(run, promise);
  return isFound ? found(true, promiseFound, { isUnverified: true }) : found(false, promiseMissing(promise));
}

function isClaimedIn({ context, turnText }: VerificationRun, promise: string): boolean {
  const { placement, signals } = context.frozen.settings.completion;
  const scanner = createClaimScanner({ expected: promise, placement, signals });
  scanner.text(turnText, "turn");
  return isClaimed(scanner.report(), { completionText: promise, signals });
}
