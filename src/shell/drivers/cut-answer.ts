import { noSpend } from "../../core/agents/spend.ts";
import { emptyReport } from "../../core/agents/turn-report.ts";
import type { PendingEffect } from "../../core/run/effect.ts";
import type { GateAnswer } from "../../core/run/observation.ts";
import type { RunState } from "../../core/run/state.ts";
import { cutAnswer as cutGate, plainAnswer } from "../gates/gate-answer.ts";
import type { News } from "../perform/news.ts";

/** What an effect that was cut would have answered. Null for a wait: its cut needs no answer. */
export function cutAnswer(effect: PendingEffect, state: RunState): News | null {
  const effectId = effect.id;
  switch (effect.type) {
    case "begin-turn": {
      // What the turn is known to have used counts, although nobody saw its end.
      const { liveSpend: spend, sessionId } = state;
      return { type: "turn-ended", effectId, report: { ...emptyReport, spend, sessionId, isCut: true } };
    }
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
