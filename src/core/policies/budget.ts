import { knownUsd } from "../agents/format-spend.ts";
import { addSpend, type Spend, totalTokens } from "../agents/spend.ts";
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

/** A budget that is used up, with its limit and what was used. */
export type UsedBudget = { of: "money" | "tokens" | "time"; limit: number; used: number };

/** Which budget is used up, or null. The turn in flight counts with what it reported so far. */
export function usedBudget({ policy, spend, liveSpend, usedMs }: RunState): UsedBudget | null {
  const { budgetUsd, budgetTokens, budgetMs } = policy;
  const { usd, ...counts } = addSpend(spend, liveSpend);
  if (budgetUsd !== null && usd !== null && usd >= budgetUsd) return { of: "money", limit: budgetUsd, used: usd };
  const tokens = totalTokens({ usd, ...counts });
  if (budgetTokens !== null && tokens >= budgetTokens) return { of: "tokens", limit: budgetTokens, used: tokens };
  return budgetMs !== null && usedMs >= budgetMs ? { of: "time", limit: budgetMs, used: usedMs } : null;
}

/** The same in one sentence. */
export function overBudget(state: RunState): string | null {
  const budget = usedBudget(state);
  if (budget === null) return null;
  const { of, limit, used } = budget;
  if (of === "money") {
    const spent = knownUsd({ usd: used, ...estimateOf(addSpend(state.spend, state.liveSpend)) });
    return `Spent ${spent} of the budget of $${limit.toFixed(2)}.`;
  }
  return of === "tokens" ? `Used ${used} of ${limit} tokens.` : `Used the time budget of ${formatDuration(limit)}.`;
}

/** A lower bound that is over the budget needs no word about it. */
function estimateOf({ isEstimated }: Spend): Pick<Spend, "isEstimated"> {
  return isEstimated === undefined ? {} : { isEstimated };
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
