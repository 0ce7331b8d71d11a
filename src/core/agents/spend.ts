/**
 * What agent work has cost so far. `usd` is null when the agent does not report a price: unknown is never zero.
 *
 * @example
 * ```ts
 * import { createStreamReader, type Spend } from "ralph";
 *
 * const tokens = ({ inputTokens, outputTokens }: Spend): number => inputTokens + outputTokens;
 * console.log(tokens(createStreamReader("command").end().report.spend));
 * ```
 */
export type Spend = {
  usd: number | null;
  /** Part of the work has no known price: `usd` is the least it cost. */
  isPartial?: true;
  /** The agent told tokens only: `usd` comes from a price table, at least in part. */
  isEstimated?: true;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
};

/** No work yet: a known price of nothing. */
export const noSpend: Spend = { usd: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Work whose price nobody told. */
export const unknownSpend: Spend = { ...noSpend, usd: null };

/** Adds two spends. A known and an unknown price make a price of at least the known one: budgets still hold. */
export function addSpend(first: Spend, second: Spend): Spend {
  if (isNothing(first)) return second;
  if (isNothing(second)) return first;
  const isPartial = first.isPartial ?? second.isPartial ?? (first.usd === null) !== (second.usd === null);
  return {
    usd: first.usd === null && second.usd === null ? null : (first.usd ?? 0) + (second.usd ?? 0),
    ...(isPartial ? { isPartial } : {}),
    ...(first.isEstimated === true || second.isEstimated === true ? { isEstimated: true as const } : {}),
    inputTokens: first.inputTokens + second.inputTokens,
    outputTokens: first.outputTokens + second.outputTokens,
    cacheReadTokens: first.cacheReadTokens + second.cacheReadTokens,
    cacheWriteTokens: first.cacheWriteTokens + second.cacheWriteTokens,
  };
}

/** What came on top of an earlier total of the same kind. Never less than nothing. */
export function subtractSpend(total: Spend, before: Spend): Spend {
  const rest = (whole: number, part: number): number => Math.max(0, whole - part);
  return {
    ...total,
    usd: total.usd === null ? null : rest(total.usd, before.usd ?? 0),
    inputTokens: rest(total.inputTokens, before.inputTokens),
    outputTokens: rest(total.outputTokens, before.outputTokens),
    cacheReadTokens: rest(total.cacheReadTokens, before.cacheReadTokens),
    cacheWriteTokens: rest(total.cacheWriteTokens, before.cacheWriteTokens),
  };
}

function isNothing(spend: Spend): boolean {
  return spend.usd === 0 && totalTokens(spend) === 0 && spend.isPartial !== true;
}

/** All tokens that passed through the model, cached ones too. */
export function totalTokens(spend: Spend): number {
  return spend.inputTokens + spend.outputTokens + spend.cacheReadTokens + spend.cacheWriteTokens;
}
