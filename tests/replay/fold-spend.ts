import { addSpend, noSpend, type Spend } from "../../src/core/agents/spend.ts";
import type { JournalEntry } from "../../src/core/journal/journal-entry.ts";
import type { Observation } from "../../src/core/run/observation.ts";

/** What the turns, checks and deliveries of a journal cost, whichever version wrote it. */
export function foldSpend(entries: readonly JournalEntry[]): Spend {
  return entries.reduce(
    (sum, entry) => (entry.kind === "step" ? addSpend(sum, spendOf(entry.observation)) : sum),
    noSpend,
  );
}

function spendOf(observation: Observation): Spend {
  switch (observation.type) {
    case "turn-ended":
      return observation.report.spend;
    case "gate-finished":
    case "delivery-finished":
      return observation.spend;
    case "run-resumed":
      return observation.lostSpend ?? noSpend;
    case "run-started":
    case "turn-started":
    case "turn-progressed":
    case "timer-fired":
    case "turn-unsettled":
    case "turn-reopened":
    case "asked":
      return noSpend;
  }
}
