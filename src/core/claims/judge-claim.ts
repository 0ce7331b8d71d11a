import type { ClaimReport } from "./claim-report.ts";
import { isSameText } from "./same-text.ts";

/** Whether the turn says it is done: the first `<response>` decides alone, without one a promise does. */
export function isClaimed(
  report: ClaimReport,
  policy: { completionText: string; signals: readonly ("promise" | "response")[] },
): boolean {
  if (policy.signals.includes("response") && report.response !== null)
    return isSameText(report.response, policy.completionText);
  return policy.signals.includes("promise") && report.isPromised;
}
