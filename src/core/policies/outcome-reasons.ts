import type { Policy } from "../engine/policy.ts";
import type { RunState } from "../engine/state.ts";

/** The one sentence of each outcome that has no other source. */
export const cancelledReason = "Cancelled by request.";

/** What a signal leaves behind, and how to go on. */
export const interruptedReason = "Interrupted by a signal; `ralph resume` goes on.";

/** The iterations are used up. */
export function exhaustedReason({ kind, iterationsMax }: Policy): string {
  if (kind === "supervise") return `Max restarts exceeded: no DONE within ${count(iterationsMax ?? 0, "run")}.`;
  return `No accepted claim within ${count(iterationsMax ?? 0, "iteration")}.`;
}

/** Names the evidence a completion rests on, or that there was none to ask for. */
export function completedReason(state: RunState): string {
  if (state.policy.hasMarkers) return doneReason(state);
  const checked = state.facts.guardrails?.length ?? 0;
  const criteria = state.facts.criteria?.length ?? 0;
  const gates = [
    ...(checked > 0 ? [count(checked, "guardrail")] : []),
    ...(criteria > 0 ? [count(criteria, "criterion", "criteria")] : []),
    ...(state.policy.hasTasks ? ["the task list"] : []),
  ];
  const proof = gates.length === 0 ? "no check is configured" : `${gates.join(" and ")} green`;
  return `Claim accepted in iteration ${state.iteration}: ${proof}.`;
}

function doneReason({ facts, iteration }: RunState): string {
  const when = facts.report?.isSkipped === true ? `before run ${iteration + 1}` : `after run ${iteration}`;
  const left = (facts.children ?? []).map(({ reason }) => reason).filter((reason) => reason !== "");
  return [`DONE found ${when}.`, ...left].join(" ");
}

function count(value: number, one: string, many = `${one}s`): string {
  return `${value} ${value === 1 ? one : many}`;
}
