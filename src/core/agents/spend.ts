/** What agent work has cost so far. `usd` is null when the agent does not report a price: unknown is never zero. */
export type Spend = {
  usd: number | null;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
};

/** No work yet: a known price of nothing. */
export const noSpend: Spend = { usd: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Work whose price nobody told. */
export const unknownSpend: Spend = { ...noSpend, usd: null };

/** Adds two spends; an unknown price makes the sum's price unknown. */
export function addSpend(first: Spend, second: Spend): Spend {
  return {
    usd: first.usd === null || second.usd === null ? null : first.usd + second.usd,
    inputTokens: first.inputTokens + second.inputTokens,
    outputTokens: first.outputTokens + second.outputTokens,
    cacheReadTokens: first.cacheReadTokens + second.cacheReadTokens,
    cacheWriteTokens: first.cacheWriteTokens + second.cacheWriteTokens,
  };
}

/** All tokens that passed through the model, cached ones too. */
export function totalTokens(spend: Spend): number {
  return spend.inputTokens + spend.outputTokens + spend.cacheReadTokens + spend.cacheWriteTokens;
}
