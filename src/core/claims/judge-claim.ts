import type { ClaimReport } from "./claim-report.ts";
import { isSameText } from "./same-text.ts";

/** What counts as a claim in a run. */
export type ClaimPolicy = { completionText: string; signals: readonly ("promise" | "response")[] };

/** Whether the turn says it is done: the first `<response>` decides alone, without one a promise does. */
export function isClaimed(report: ClaimReport, policy: ClaimPolicy): boolean {
  if (policy.signals.includes("response") && report.response !== null)
    return isSameText(report.response, policy.completionText);
  return policy.signals.includes("promise") && report.isPromised;
}

/** Whether the words of a turn may complete its run, so that its tree is a candidate; a gate that claims is asked later. */
export function mayComplete(report: ClaimReport, policy: ClaimPolicy & { claimBy: string }): boolean {
  return policy.claimBy === "gate" || (policy.claimBy === "tag" && isClaimed(report, policy));
}
