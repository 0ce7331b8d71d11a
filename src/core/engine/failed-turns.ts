import { backOffMs } from "../policies/back-off.ts";
import type { Observation } from "../run/observation.ts";
import { end, order, type Step, timer } from "./orders.ts";
import type { RunState } from "../run/state.ts";

/** A program that is not there will not be there next time; a lack of resources may pass. */
export function endFailedStart(
  state: RunState,
  kind: string,
  observation: Extract<Observation, { type: "turn-ended" }>,
): Step {
  const message = observation.report.startError?.message ?? "";
  const failures = state.startFailuresInRow + 1;
  if (kind !== "resources" || failures >= startFailuresMax) return end(state, "failed", message);
  return order(
    { ...state, startFailuresInRow: failures },
    {
      type: "set-timer",
      id: state.nextEffectId,
      reason: "back-off",
      ...timer(observation.at, backOffMs(state, failures)),
    },
  );
}

/** Starts that fail for want of processes or memory; after five the machine is not going to recover by waiting. */
const startFailuresMax = 5;

/** A usage limit with a known end is waited for; the turn it cost does not count. */
export function waitForLimit(state: RunState, at: number, wait: { durationMs: number } | { refusal: string }): Step {
  const uncounted = { ...state, iteration: state.iteration - 1, limitWaitsInRow: state.limitWaitsInRow + 1 };
  if ("refusal" in wait) return end(uncounted, "stopped", wait.refusal);
  return order(uncounted, {
    type: "set-timer",
    id: state.nextEffectId,
    reason: "usage-limit",
    ...timer(at, wait.durationMs),
  });
}
