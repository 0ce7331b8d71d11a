import { isFailedTurn } from "../agents/turn-report.ts";
import type { Verdict } from "../checks/verdict.ts";
import { isClaimed } from "../claims/judge-claim.ts";
import type { IterationFacts, RunState } from "../engine/state.ts";

/** Every guardrail of this iteration ran and passed (or there is none). */
export function areGuardrailsGreen(state: RunState): boolean {
  return areGreen(state.facts.guardrails, state.policy.guardrailCount);
}

/** An approval of this iteration may stand: its turn did not fail, and every guardrail is green. */
export function mayApprove(state: RunState): boolean {
  const { report } = state.facts;
  return report !== null && !isFailedTurn(report) && areGuardrailsGreen(state);
}

/** Delivery comes only after green guardrails, claim or not. */
export function needsDelivery(state: RunState): boolean {
  return state.policy.hasDelivery && areGuardrailsGreen(state);
}

/** Criteria are checked on a claim that stood every gate before. */
export function needsCriteria(state: RunState): boolean {
  return state.policy.criterionCount > 0 && isClaimStanding(state);
}

/** Children are waited for last. */
export function needsChildren(state: RunState): boolean {
  return (
    state.policy.hasChildren && isClaimStanding(state) && areGreen(state.facts.criteria, state.policy.criterionCount)
  );
}

/** Completed: a claim of this iteration, and every gate green in this same iteration. */
export function isComplete(state: RunState): boolean {
  const { facts, policy } = state;
  return (
    isClaimStanding(state) &&
    areGreen(facts.criteria, policy.criterionCount) &&
    (!policy.hasChildren || areGreen(facts.children, facts.children?.length ?? 1))
  );
}

/** What a person has to do, when the agent says it is blocked or needs a decision; null otherwise. */
export function waitingReason(state: RunState): string | null {
  const report = state.facts.report;
  if (report?.markers?.isDone === true) return null;
  if (report !== null && report.markers !== null && report.markers.waiting !== null) return report.markers.waiting;
  if (report === null || isFailedTurn(report)) return null;
  if (isRejected(state)) return `Rejected: ${report.claims.rejected}`;
  if (report.claims.blocked !== null) return `Blocked: ${report.claims.blocked}`;
  if (report.claims.question !== null) return `Needs a decision: ${report.claims.question}`;
  return null;
}

/** The claim alone would be refused because nothing at all has changed since the run began. */
export function isUnmovedClaim(state: RunState): boolean {
  return state.policy.requireProgress && !state.isAnythingChanged && isAnyClaim(state);
}

/** A short text of all check results, to notice a change from one iteration to the next. */
export function checkResults(facts: IterationFacts): string {
  const all = [...(facts.guardrails ?? []), ...(facts.criteria ?? [])];
  return all.map((verdict) => `${verdict.name}=${verdict.exitCode}`).join("\n");
}

function isClaimStanding(state: RunState): boolean {
  const report = state.facts.report;
  // DONE counts after a failed turn too (S3-09); the rule on failed turns is about tags.
  const isVoid = report === null || (isFailedTurn(report) && !state.policy.hasMarkers);
  if (isVoid || !areGuardrailsGreen(state)) return false;
  return isAnyClaim(state) && !isUnmovedClaim(state);
}

/** The tag, or for runs with a task list the list itself: there the tag alone is never enough. */
function isAnyClaim(state: RunState): boolean {
  const { facts, policy } = state;
  if (policy.hasMarkers) return facts.report?.markers?.isDone === true;
  if (policy.hasTasks) return facts.tasks?.isComplete === true;
  return facts.report !== null && !isRejected(state) && isClaimed(facts.report.claims, policy);
}

/** A role that sends the work back has not passed it, whatever else it says. */
function isRejected({ facts, policy }: RunState): boolean {
  return policy.canReject && facts.report !== null && facts.report.claims.rejected !== null;
}

function areGreen(verdicts: Verdict[] | null, expected: number): boolean {
  if (expected === 0) return true;
  return verdicts !== null && verdicts.length === expected && verdicts.every((verdict) => verdict.isPassed);
}
