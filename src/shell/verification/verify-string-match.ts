import { promiseFound, promiseMissing } from "../../core/verification/verification-texts.ts";
import { isPromiseMade } from "../../core/verification/match-promise.ts";
import type { Verification } from "../../core/tasks/criteria/completion-spec.ts";
import { type Found, found } from "./found.ts";
import type { VerificationRun } from "./verification-run.ts";

type StringMatch = Extract<Verification, { method: "string_match" }>;

/** Compares the tag's content with the promise (CW-2A); `loose` searches for it anywhere in the text. */
export function verifyStringMatch(match: StringMatch, run: VerificationRun): Found {
  const own = run.criterion.criterion.promise;
  const promise = match.promise ?? own;
  if (run.isClaimEnough) return found(true, promiseFound, { isUnverified: true });
  const { placement, signals } = run.context.frozen.settings.completion;
  const { turnText } = run;
  const isFound = isPromiseMade({ ...match, own, turnText, claims: { placement, signals } });
  return isFound ? found(true, promiseFound, { isUnverified: true }) : found(false, promiseMissing(promise));
}
