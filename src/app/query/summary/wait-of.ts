import { activityOf } from "../../../core/journal/activity.ts";
import type { TimerReason } from "../../../core/run/effect.ts";
import type { RunState } from "../../../core/run/state.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { asksPerson } from "./next-command.ts";

/** What a run waits for, in words, and until when if that is known (ISO 8601). */
export type Wait = { waitingFor: string | null; waitingUntil: string | null };

/** A run that waits for nothing. */
export const notWaiting: Wait = { waitingFor: null, waitingUntil: null };

/** What a run with a living driver, or with an outcome, waits for. */
export function waitOf(run: RunRecord): Wait {
  const { kind, outcome, frozen, state } = run;
  if (kind === "session") return notWaiting;
  if (outcome?.name === "waiting" && frozen.work !== undefined) return { ...notWaiting, waitingFor: "a person" };
  if (outcome?.name === "waiting") return { ...notWaiting, waitingFor: asksPerson(run) ? "an answer" : "a resume" };
  if (outcome !== null) return notWaiting;
  return state.isHeld ? { ...notWaiting, waitingFor: "a resume" } : timedWait(state);
}

/** A wait between two operations. */
export function timedWait(state: RunState): Wait {
  const { waitingUntil } = activityOf(state);
  if (waitingUntil === null || state.pending?.type !== "set-timer") return notWaiting;
  return { waitingFor: timerWords[state.pending.reason], waitingUntil: new Date(waitingUntil).toISOString() };
}

const timerWords: Record<TimerReason, string> = {
  "back-off": "the next try after a failed turn",
  "usage-limit": "the end of the agent's usage limit",
  "restart-delay": "the end of the restart delay",
  "continuation-delay": "the end of the delay between two turns",
  recovery: "the host to finish its turn",
};
