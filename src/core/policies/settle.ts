import type { Unsettled } from "../run/policy.ts";
import type { RunState } from "../run/state.ts";

/** Notes that the host has not finished the turn, although it may say so; each such observation restarts the wait. */
export function unsettle(state: RunState, because: Unsettled, at: number): RunState {
  const { settling } = state.policy;
  if (settling === null) return state;
  const since = state.unsettled?.since ?? at;
  return {
    ...state,
    unsettled: { since, until: Math.max(state.unsettled?.until ?? 0, at + settling.waitMs[because]) },
  };
}

/** How much longer the end of the turn must wait for the host; 0: judge it now. */
export function settleRestMs(state: RunState, at: number): number {
  const { unsettled, policy } = state;
  // A run stored by an older version has neither.
  if (unsettled == null || policy.settling == null) return 0;
  const { waitMs, longestMs } = policy.settling;
  // A clock set back must not lengthen the wait.
  const isTooOld = at < unsettled.since || at - unsettled.since >= longestMs;
  if (isTooOld) return 0;
  return Math.max(0, Math.min(unsettled.until - at, Math.max(...Object.values(waitMs))));
}
