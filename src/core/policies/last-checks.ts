import { hasChecks } from "../contract/contract-lines.ts";
import type { RunState } from "../run/state.ts";
import { byClaimAlone, redStagesText } from "../verification/verdict-word.ts";
import { isVerified, verdictsOf } from "./gates.ts";

/** What the checks of the last iteration with verdicts came to, in a few words; null before the first one. */
export function lastChecksText(state: RunState): string | null {
  const last = state.recentVerdicts.at(-1);
  if (last === undefined) return null;
  if (!last.isPassed) return `checks red: ${last.reason}`;
  const verdicts = verdictsOf(state).map(({ verdict }) => verdict);
  // A turn in flight has no verdicts yet: then the contract says whether any check could look at the work.
  const isProven = verdicts.length > 0 ? isVerified(state) : hasChecks(state.policy.gates);
  const stages = verdicts.map(redStagesText).filter((text) => text !== "");
  return [isProven ? "checks green" : `${byClaimAlone}, unverified`, ...stages].join("; ");
}
