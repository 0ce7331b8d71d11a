import { noSpend } from "../agents/spend.ts";
import { emptyReport } from "../agents/turn-report.ts";
import type { PendingEffect } from "./effect.ts";
import { cutAnswer as cutGate, plainAnswer } from "./gate-answer.ts";
import type { News } from "./news.ts";
import type { GateAnswer } from "./observation.ts";
import type { RunState } from "./state.ts";

/** What an effect that was cut would have answered. Null for a wait: its cut needs no answer. */
export function cutAnswer(
  effect: PendingEffect,
  { liveSpend: spend, sessionId }: Pick<RunState, "liveSpend" | "sessionId">,
): News | null {
  const effectId = effect.id;
  switch (effect.type) {
    case "begin-turn":
      // What the turn is known to have used counts, although nobody saw its end.
      return { type: "turn-ended", effectId, report: { ...emptyReport, spend, sessionId, isCut: true } };
    case "run-gate":
      return { type: "gate-finished", effectId, ...gateAnswer(effect) };
    case "deliver":
      return { type: "delivery-finished", effectId, isCut: true, commit: null, problem: null, spend: noSpend };
    case "set-timer":
      return null;
  }
}

/** A gate that no way out of a turn leaves out stays due, so that a resume asks it first. */
function gateAnswer({ gate }: Extract<PendingEffect, { type: "run-gate" }>): GateAnswer {
  if (!gate.isAlways) return cutGate();
  return { ...plainAnswer([]), stop: { name: "failed", reason: `${gate.name} could not be put in order in time.` } };
}
