import { addSpend, totalTokens } from "../agents/spend.ts";
import type { TurnLimits } from "../run/effect.ts";
import type { RunState } from "../run/state.ts";
import { formatDuration } from "../text/duration.ts";

/** Time used is counted on the driver's monotonic clock, so a jump of the wall clock neither lengthens nor ends a run. */
export function passTime<State extends Pick<RunState, "usedMs" | "lastUpMs">>(
  state: State,
  moment: { upMs: number },
): State {
  const passedMs = Math.max(0, moment.upMs - state.lastUpMs);
  return { ...state, usedMs: state.usedMs + passedMs, lastUpMs: Math.max(state.lastUpMs, moment.upMs) };
}

/** Which budget is used up, in one sentence, or null. The turn in flight counts with what it reported so far. */
export function overBudget(state: RunState): string | null {
  const { budgetUsd, budgetTokens, budgetMs } = state.policy;
  const spend = addSpend(state.spend, state.liveSpend);
  if (budgetUsd !== null && spend.usd !== null && spend.usd >= budgetUsd)
    return `Spent $${spend.usd.toFixed(2)} of the budget of $${budgetUsd.toFixed(2)}.`;
  const tokens = totalTokens(spend);
  if (budgetTokens !== null && tokens >= budgetTokens) return `Used ${tokens} of ${budgetTokens} tokens.`;
  if (budgetMs !== null && state.usedMs >= budgetMs) return `Used the time budget of ${formatDuration(budgetMs)}.`;
  return null;
}

/** Limits of a turn; never longer than what is left of the time budget. */
export function turnLimits(state: RunState): TurnLimits {
  const { policy } = state;
  return {
    idleMs: policy.turnIdleMs,
    wallMs: wallWithinBudget(state, policy.turnWallMs),
    resultGraceMs: policy.resultGraceMs,
  };
}

/** A wall-clock limit, at most the rest of the time budget. */
export function wallWithinBudget(state: RunState, wallMs: number | null): number | null {
  const { budgetMs } = state.policy;
  if (budgetMs === null) return wallMs;
  const restMs = Math.max(1, budgetMs - state.usedMs);
  return wallMs === null ? restMs : Math.min(wallMs, restMs);
}
