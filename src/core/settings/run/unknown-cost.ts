import { RalphError } from "../../ralph-error.ts";
import type { Settings } from "../settings.ts";

/**
 * A spend budget does not work for an agent that does not report its cost: the sentence for the start, or null. Throws
 * when nothing else would end the run.
 */
export function unknownCostWarning(settings: Settings, agent: { name: string; reportsCost: boolean }): string | null {
  const { spend, tokens, time } = settings.budget;
  if (spend === null || agent.reportsCost) return null;
  const problem = `The agent (${agent.name}) does not tell its cost, so the spend budget cannot be kept`;
  if (tokens !== null) return `${problem}; the budget of ${tokens} tokens counts instead.`;
  if (settings.maximumIterations === "unbounded" && time === null)
    throw new RalphError(
      "settings",
      `${problem}, and maximumIterations is "unbounded".`,
      "Set budget.tokens or budget.time (--max-tokens, --max-time).",
    );
  return `${problem}; set a budget of tokens instead (--max-tokens).`;
}
