import { describeTurnEnd } from "../agents/turn-report.ts";
import type { RunState } from "../run/state.ts";
import { checkResults } from "./gates.ts";

/** Why a run without progress is stopped, or null. */
export function breakerReason(state: RunState): string | null {
  const { failuresMax, unchangedMax } = state.policy;
  if (failuresMax !== null && state.failuresInRow >= failuresMax)
    return `${state.failuresInRow} turns in a row failed${lastFailure(state)}.`;
  if (unchangedMax !== null && state.unchangedInRow >= unchangedMax)
    return `${state.unchangedInRow} turns in a row changed neither files, commits nor check results.`;
  return null;
}

/** Neither the work tree, nor commits, nor the checks' results differ from the iteration before. */
export function iterationIsUnchanged(state: RunState): boolean {
  if (state.facts.report?.isTreeChanged !== false) return false;
  return state.lastCheckResults === "" || state.lastCheckResults === checkResults(state.facts);
}

function lastFailure(state: RunState): string {
  const { report } = state.facts;
  return report === null ? "" : `, the last one ${describeTurnEnd(report).replace(/\.$/, "")}`;
}
