import { describeTurnEnd } from "../agents/turn-report.ts";
import type { RunState } from "../run/state.ts";
import { failedAttempt } from "./attempts.ts";
import type { Verdict } from "../verification/verdict.ts";
import { checkResults, firstRed } from "./gates.ts";
import { unclaimedWhy } from "./outcome-reasons.ts";

/** Why a run without progress is stopped, or null. */
export function breakerReason(state: RunState): string | null {
  const { failuresMax, unchangedMax } = state.policy;
  if (failuresMax !== null && state.failuresInRow >= failuresMax)
    return `${state.failuresInRow} turns in a row failed${lastFailure(state)}.`;
  if (unchangedMax !== null && state.unchangedInRow >= unchangedMax)
    return `${state.unchangedInRow} turns in a row changed neither files, commits nor check results.${unchangedWhy(state)}`;
  return null;
}

/** What stayed the same, for whoever repairs it. */
function unchangedWhy(state: RunState): string {
  const denied = unclaimedWhy(state);
  if (state.facts.report !== null && state.facts.report.tools.denied > 0) return ` ${denied}`;
  const red = firstRed(state);
  if (red !== undefined) return ` Red each time: ${red.name}: ${red.reason.slice(0, redCharsMax)}`;
  return denied === null ? "" : ` ${denied}`;
}

/** A reason is a sentence; the whole evidence is in the journal. */
const redCharsMax = 300;

/**
 * Neither the work tree, nor commits, nor the checks' results differ from the iteration before; in a role's run the reason
 * of a refused claim does not either: a role that is refused for something else has moved, without any file in the tree. Words of the
 * agent and of a judge are no progress.
 */
export function iterationIsUnchanged(state: RunState): boolean {
  if (state.facts.report?.isTreeChanged !== false) return false;
  if (state.policy.kind === "work" && isOtherReason(state)) return false;
  return state.lastCheckResults === "" || state.lastCheckResults === checkResults(state.facts);
}

function isOtherReason(state: RunState): boolean {
  const before = state.attempts.at(-1);
  const now = failedAttempt(state);
  if (before === undefined || !now.isClaimed || isByWords(firstRed(state))) return false;
  return before.isClaimed && before.reason !== now.reason;
}

/** A verdict whose reason somebody wrote. */
function isByWords(verdict: Verdict | undefined): boolean {
  const methods = [verdict?.method, ...(verdict?.stages ?? []).map(({ method }) => method)];
  return verdict === undefined || methods.includes("semantic") || methods.includes("custom");
}

function lastFailure(state: RunState): string {
  const { report } = state.facts;
  return report === null ? "" : `, the last one ${describeTurnEnd(report).replace(/\.$/, "")}`;
}
