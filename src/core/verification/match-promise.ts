import { createClaimScanner } from "../claims/claim-scanner.ts";
import { isClaimed } from "../claims/judge-claim.ts";
import { isSameText } from "../claims/same-text.ts";

/** What a promise is looked for in. */
export type PromiseSearch = {
  /** The promise of the verification; null: the criterion's own. */
  promise: string | null;
  own: string;
  /** Searches the agent's words instead of a tag. */
  isLoose: boolean;
  turnText: string;
  claims: Omit<Parameters<typeof createClaimScanner>[0], "expected">;
};

/**
 * Whether a promise was made: as the content of a tag, or anywhere in the text when the match is loose (CW-2A). Criteria are
 * checked only on a claim of the criterion's own promise, so that one needs no second look.
 */
export function isPromiseMade({ promise, own, isLoose, turnText, claims }: PromiseSearch): boolean {
  const wanted = promise ?? own;
  if (isLoose) return turnText.toLowerCase().includes(wanted.toLowerCase());
  if (isSameText(wanted, own)) return true;
  const scanner = createClaimScanner({ ...claims, expected: wanted });
  scanner.text(turnText, "turn");
  return isClaimed(scanner.report(), { completionText: wanted, signals: claims.signals });
}
