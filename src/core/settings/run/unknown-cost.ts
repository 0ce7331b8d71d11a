import { RalphError } from "../../ralph-error.ts";
import type { Settings } from "../settings.ts";

/** What is known before a run of what its agent tells. */
export type ToldSpend = {
  name: string;
  tellsTokens: boolean;
  /** It tells its cost, or tokens of a model with a known price. */
  tellsCost: boolean;
};

/**
 * A budget that nobody could keep is refused before the start. Returns the sentence for one that another budget stands in
 * for, or null.
 */
export function unknownCostWarning({ budget }: Settings, { name, tellsTokens, tellsCost }: ToldSpend): string | null {
  const { spend, tokens } = budget;
  if (!tellsTokens && (spend !== null || tokens !== null)) {
    const given = [...(spend === null ? [] : ["budget.spend"]), ...(tokens === null ? [] : ["budget.tokens"])];
    throw new RalphError(
      "settings",
      `The agent (${name}) tells neither tokens nor cost, so ${given.join(" and ")} cannot be kept.`,
      "Limit the run by time or iterations instead (--max-time, -m), or use an agent that tells what it uses.",
    );
  }
  if (spend === null || tellsCost) return null;
  const problem = `The agent (${name}) does not tell its cost and the price of its model is not known, so budget.spend cannot be kept`;
  if (tokens !== null) return `${problem}; the budget of ${tokens} tokens counts instead.`;
  throw new RalphError(
    "settings",
    `${problem}.`,
    "Name a model with a known price (--model), set its price in prices, or set a budget of tokens (--max-tokens).",
  );
}
