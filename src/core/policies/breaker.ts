import type { RunState } from "../engine/state.ts";
import { checkResults } from "./gates.ts";

/** Why a run that gets nowhere is stopped, or null. */
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
  const report = state.facts.report;
  if (report === null) return "";
  if (report.failure !== null) return `, the last with: ${report.failure.message.replace(/\.$/, "")}`;
  if (report.timedOut !== null) return `, the last by ${report.timedOut} timeout`;
  if (report.signal !== null) return `, the last by ${report.signal}`;
  return `, the last with exit code ${report.exitCode}`;
}
