import { cancelledReason, interruptedReason } from "../policies/outcome-reasons.ts";
import type { Observation } from "../run/observation.ts";
import { cut, order, type Step } from "./orders.ts";
import { renewed } from "./renewed.ts";
import type { RunState } from "../run/state.ts";

/** Requests of people and signals. Cancel is final: nothing after it can undo it. */
export function hear(state: RunState, observation: Extract<Observation, { type: "asked" }>): Step {
  switch (observation.request) {
    case "cancel":
      return cut({ ...state, isCancelAsked: true }, "cancelled", cancelledReason);
    case "pause":
      return [{ ...state, isPauseAsked: true }, []];
    case "go-on":
      return goOn(edited({ ...state, isPauseAsked: false }, observation), observation.at);
    case "interrupt": {
      const asked = { ...state, isInterruptAsked: true };
      return isOperation(state) ? [asked, []] : cut(asked, "interrupted", interruptedReason);
    }
    case "interrupt-now":
      if (observation.because !== undefined) return cut(state, observation.because.name, observation.because.reason);
      return cut({ ...state, isInterruptAsked: true }, "interrupted", interruptedReason);
  }
}

/** With what people left during the pause. */
function edited(state: RunState, { begin, change }: Extract<Observation, { type: "asked" }>): RunState {
  return { ...state, ...begin, policy: { ...state.policy, ...change } };
}

/** A turn, checks or a delivery at work: a first signal lets it finish. A wait is not work. */
function isOperation(state: RunState): boolean {
  return state.pending !== null && !state.isHeld && state.pending.type !== "set-timer";
}

function goOn(state: RunState, at: number): Step {
  if (!state.isHeld || state.pending === null) return [state, []];
  return order(state, renewed(state, state.pending, at));
}
