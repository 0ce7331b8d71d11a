import { cancelledReason, interruptedReason } from "../policies/outcome-reasons.ts";
import type { Observation } from "../run/observation.ts";
import { cut, type Step } from "./orders.ts";
import { orderAgain } from "./renewed.ts";
import { type RunState, withBegin } from "../run/state.ts";

type Asked = Extract<Observation, { type: "asked" }>;
type RequestFields = Pick<RunState, "lastRequestSeq" | "isCancelAsked" | "isPauseAsked" | "isInterruptAsked">;

/** What was asked of a run, of one agent or of a whole work run. Cancel is final: nothing after it can undo it. */
export function withRequest<State extends RequestFields>(
  before: State,
  { request, seq, because }: Pick<Asked, "request" | "seq" | "because">,
): State {
  const state = { ...before, lastRequestSeq: seq ?? before.lastRequestSeq };
  switch (request) {
    case "cancel":
      return { ...state, isCancelAsked: true };
    case "pause":
    case "go-on":
      return { ...state, isPauseAsked: request === "pause" };
    case "interrupt":
    case "interrupt-now":
      return because === undefined ? { ...state, isInterruptAsked: true } : state;
  }
}

/** Requests of people and signals, and what follows from them for the operation in flight. */
export function hear(before: RunState, observation: Asked): Step {
  const state = withRequest(before, observation);
  switch (observation.request) {
    case "cancel":
      return cut(state, "cancelled", cancelledReason);
    case "pause":
      return [state, []];
    case "go-on":
      return goOn(edited(state, observation), observation.at);
    case "interrupt":
      return isOperation(state) ? [state, []] : cut(state, "interrupted", interruptedReason);
    case "interrupt-now": {
      const { name, reason } = observation.because ?? { name: "interrupted" as const, reason: interruptedReason };
      return cut(state, name, reason);
    }
  }
}

/** With what people left during the pause. */
function edited(state: RunState, { begin, change }: Extract<Observation, { type: "asked" }>): RunState {
  return { ...withBegin(state, begin), policy: { ...state.policy, ...change } };
}

/** A turn, checks or a delivery at work: a first signal lets it finish. A wait is not work. */
function isOperation(state: RunState): boolean {
  return state.pending !== null && !state.isHeld && state.pending.type !== "set-timer";
}

function goOn(state: RunState, at: number): Step {
  if (!state.isHeld || state.pending === null) return [state, []];
  return orderAgain(state, state.pending, at);
}
