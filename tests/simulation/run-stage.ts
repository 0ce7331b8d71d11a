import type { ProcessOrder } from "../../src/shell/ports.ts";
import { type Act, chooseAct } from "./agent-acts.ts";
import { isTurn, type ProcessStage } from "./fake-processes.ts";
import { gitWords } from "./git-words.ts";
import type { Random } from "./random.ts";

/** What is true in the simulated project, whatever the agent says. */
export type Truth = {
  /** The work is really done: guardrails pass. */
  isFixed: boolean;
  /** The act of the turn at work or the last one. */
  lastAct: Act | null;
  actNames: Set<string>;
};

/** The stage of a plain run: agents act by the seed; guardrails and git tell the truth. */
export function createRunStage(random: Random): ProcessStage & { truth: Truth } {
  const truth: Truth = { isFixed: false, lastAct: null, actNames: new Set() };
  return {
    truth,
    turnsMax: 1,
    turnAct(order) {
      if (!isTurn(order)) return null;
      const act = chooseAct(random);
      truth.actNames.add(act.name);
      return act;
    },
    toolAct: (order) => toolAct(order, truth),
    onTurn(act) {
      truth.lastAct = act;
      // Half of the wrong turns spoil what was right before: green must be earned in the same iteration.
      if (act.works === true) truth.isFixed = true;
      else if (random.chance(0.3)) truth.isFixed = false;
    },
  };
}

/** A guardrail is green when the work is really done. Git says then that there is something to commit. */
function toolAct(order: ProcessOrder, truth: Truth): Act {
  if (order.argv.join(" ").startsWith("sh -c"))
    return { name: "guardrail", lines: () => ["checked"], exitCode: truth.isFixed ? 0 : 1 };
  if (gitWords(order.argv)?.[0] === "status") {
    const changed = truth.isFixed ? "1 M. N... 100644 100644 100644 a b file\0" : "";
    return { name: "git", lines: () => [`# branch.oid 0123456789abcdef\0${changed}`], exitCode: 0 };
  }
  return { name: "tool", lines: () => ["0123456789abcdef"], exitCode: 0 };
}
