import type { PendingEffect } from "../run/effect.ts";
import type { RunState } from "../run/state.ts";

/** What a run is doing right now, in a few words; `waitingUntil` when it waits for a time. */
export function activityOf(state: RunState): { activity: string; waitingUntil: number | null } {
  if (state.outcome !== null) return { activity: "ended", waitingUntil: null };
  if (state.ending !== null) return { activity: "stopping", waitingUntil: null };
  if (state.pending === null) return { activity: "starting", waitingUntil: null };
  if (state.isHeld) return { activity: "paused", waitingUntil: null };
  const activity = activityOfEffect(state.pending, state.turnProcess !== null);
  const waitingUntil = state.pending.type === "set-timer" ? state.pending.dueAt : null;
  return { activity: state.isPauseAsked ? `pausing after: ${activity}` : activity, waitingUntil };
}

function activityOfEffect(pending: PendingEffect, isStarted: boolean): string {
  switch (pending.type) {
    case "begin-turn":
      return isStarted ? "agent at work" : "starting the agent";
    case "run-gate":
      return `checking ${pending.gate.name}`;
    case "deliver":
      return "delivering";
    case "set-timer":
      return `waiting (${pending.reason})`;
  }
}
