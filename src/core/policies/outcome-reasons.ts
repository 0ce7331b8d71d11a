import { completionVerified, exhaustedAfter, exhaustedUnclaimed } from "../checks/verification-texts.ts";
import { isClaimed } from "../claims/judge-claim.ts";
import type { RunState } from "../engine/state.ts";

/** The one sentence of each outcome that has no other source. */
export const cancelledReason = "Cancelled by request.";

/** What a signal leaves behind, and how to go on. */
export const interruptedReason = "Interrupted by a signal; `ralph resume` goes on.";

/** A task list without open tasks whose checks are red: no turn can mend it. */
export const nothingLeftReason = "Every task is approved, but the checks are not green; look at them and resume.";

/** The iterations are used up. */
export function exhaustedReason(state: RunState): string {
  const { kind, iterationsMax } = state.policy;
  if (kind === "supervise") return `Max restarts exceeded: no DONE within ${count(iterationsMax ?? 0, "run")}.`;
  if (kind === "work") return exhaustedRole(state);
  if (kind === "prd") return `Not every story is done within ${count(iterationsMax ?? 0, "iteration")}.`;
  return `No accepted claim within ${count(iterationsMax ?? 0, "iteration")}.`;
}

/** Document 002's words for a role (S2-13, S2-16); that it failed is in the outcome, whatever the reason says (CW-2C). */
function exhaustedRole({ facts, policy }: RunState): string {
  const { report, guardrails, criteria } = facts;
  if (report === null || !isClaimed(report.claims, policy)) return exhaustedUnclaimed;
  const failed = [...(guardrails ?? []), ...(criteria ?? [])].find((verdict) => !verdict.isPassed);
  return failed === undefined ? exhaustedUnclaimed : exhaustedAfter(failed.reason);
}

/** Names the evidence a completion rests on, or that there was none to ask for. */
export function completedReason(state: RunState): string {
  if (state.policy.hasMarkers) return doneReason(state);
  if (state.policy.kind === "work") return completionVerified;
  const checked = state.facts.guardrails?.length ?? 0;
  const criteria = state.facts.criteria?.length ?? 0;
  const gates = [
    ...(checked > 0 ? [count(checked, "guardrail")] : []),
    ...(criteria > 0 ? [count(criteria, "criterion", "criteria")] : []),
    ...(state.policy.hasTasks ? ["the task list"] : []),
  ];
  const proof = gates.length === 0 ? "no check is configured" : `${gates.join(" and ")} green`;
  const remark = state.facts.tasks?.remark ?? null;
  return `Claim accepted in iteration ${state.iteration}: ${proof}.${remark === null ? "" : ` ${remark}`}`;
}

function doneReason({ facts, iteration }: RunState): string {
  const when = facts.report?.isSkipped === true ? `before run ${iteration + 1}` : `after run ${iteration}`;
  const left = (facts.children ?? []).map(({ reason }) => reason).filter((reason) => reason !== "");
  return [`DONE found ${when}.`, ...left].join(" ");
}

function count(value: number, one: string, many = `${one}s`): string {
  return `${value} ${value === 1 ? one : many}`;
}
