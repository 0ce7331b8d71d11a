import { sealedTurnGates, sealedTurnKind } from "../../core/contract/sealed-turn.ts";
import { plainAnswer } from "../../core/run/gate-answer.ts";
import type { GateKind } from "./gate-kind.ts";
import { verifySealed } from "./verify-sealed.ts";

/** The sealed verification before a task list approves anything. */
export const sealedTurn: GateKind = {
  name: sealedTurnKind,
  gatesOf: sealedTurnGates,
  open({ context }) {
    const { seal } = context;
    if (seal === undefined) return null;
    return async (request) => {
      if (request.mayApprove) return verifySealed({ ...context, seal }, request);
      const found = { isPassed: true, exitCode: 0, isTimedOut: false, durationMs: 0, isUnverified: true as const };
      const about = { index: 0, name: request.gate.name, reason: "this turn approves nothing", logFile: null };
      return plainAnswer([{ ...about, ...found, output: { text: "" } }]);
    };
  },
};
