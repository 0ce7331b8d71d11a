import type { TurnReport } from "../agents/turn-report.ts";
import type { TimerReason } from "../run/effect.ts";
import type { Policy } from "../run/policy.ts";
import type { RunState } from "../run/state.ts";
import { usedBudget, wallWithinBudget } from "./budget.ts";

/** The longest wait between two failed turns. */
const backOffMsMax = 60_000;

/** Waits for usage limits in a row that do not count as failures: a week of hourly limits. */
const limitWaitsMax = 168;

/** A week and a day: the longest usage window an agent announces, with slack. A later reset counts as a mistake. */
const limitWaitMsMax = 8 * 24 * 3_600_000;

/**
 * The retry delay, doubled with each failure in a row, with up to a fifth of jitter either way; never shorter than the
 * restart delay, never past the time budget.
 */
export function backOffMs(state: RunState, failuresInRow: number): number {
  const { policy, nextEffectId } = state;
  const doubled = policy.retryDelayMs * 2 ** Math.min(failuresInRow - 1, 16);
  const jittered = doubled * (0.8 + 0.4 * fraction(policy.seed + nextEffectId));
  return withinBudget(state, Math.max(leastMs(policy), Math.round(Math.min(backOffMsMax, jittered))));
}

/**
 * The wait before the next turn: the restart delay, after failures the longer back-off, where there is one; null for none,
 * as after the last turn, or where a budget is used up.
 */
export function turnDelay(state: RunState): { durationMs: number; reason: TimerReason } | null {
  const { kind, restartDelayMs, retryDelayMs, isRestartDelayBounded = false } = state.policy;
  if (isUsedUp(state)) return null;
  const retryMs = state.failuresInRow > 0 && retryDelayMs > 0 ? backOffMs(state, state.failuresInRow) : 0;
  if (restartDelayMs === 0 && retryMs === 0) return null;
  if (retryMs > restartDelayMs) return { durationMs: retryMs, reason: "back-off" };
  const durationMs = isRestartDelayBounded ? withinBudget(state, restartDelayMs) : restartDelayMs;
  return { durationMs, reason: kind === "session" ? "continuation-delay" : "restart-delay" };
}

function isUsedUp(state: RunState): boolean {
  const { iteration, policy } = state;
  if (policy.isRestartDelayBounded === true && usedBudget(state) !== null) return true;
  const isLookDelayed = policy.claimBy === "done-file" && policy.isRestartDelayBounded !== true;
  return policy.iterationsMax !== null && iteration >= policy.iterationsMax && !isLookDelayed;
}

/** A restart of any reason waits at least the restart delay. */
function leastMs({ isRestartDelayBounded, restartDelayMs }: Policy): number {
  return isRestartDelayBounded === true ? restartDelayMs : 0;
}

function withinBudget(state: RunState, delayMs: number): number {
  return wallWithinBudget(state, delayMs) ?? delayMs;
}

/** The wait for a usage limit with a known end; a refusal when the time budget ends first; null without a limit. */
export function limitWait(
  state: RunState,
  report: TurnReport,
  at: number,
): { durationMs: number } | { refusal: string } | null {
  const resetAt = report.failure?.kind === "limit" ? report.failure.resetAt : null;
  if (resetAt === null || state.limitWaitsInRow >= limitWaitsMax) return null;
  const durationMs = Math.max(resetAt - at, state.policy.retryDelayMs, leastMs(state.policy));
  if (durationMs > limitWaitMsMax) return null;
  const { budgetMs } = state.policy;
  if (budgetMs !== null && state.usedMs + durationMs > budgetMs) {
    const reset = new Date(resetAt).toISOString();
    return { refusal: `The usage limit resets at ${reset}, after the time budget ends.` };
  }
  return { durationMs };
}

/** A number in [0, 1) from a seed, the same for the same seed: randomness without a random source. */
function fraction(seed: number): number {
  const mixed = Math.imul((seed ^ (seed >>> 16)) + 0x6d2b79f5, 0x45d9f3b);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
