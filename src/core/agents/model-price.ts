import { type Spend, totalTokens } from "./spend.ts";

/** What a model costs, in US dollars per million tokens. */
export type ModelPrice = {
  /** As the provider names it, without a date: `gpt-5`. */
  model: string;
  input: number;
  output: number;
  /** Input that came from the provider's cache; absent: as other input. */
  cacheRead?: number;
  /** Input that was written to the cache; absent: as other input. */
  cacheWrite?: number;
};

/** The public prices of one provider. */
export type PriceTable = {
  /** Where they were published. */
  source: string;
  /** When they were last compared with the source, as `2026-06`. */
  knownAt: string;
  models: readonly ModelPrice[];
};

/** The price of a model: a person's own one, else a public one, else null. Unknown models have no price. */
export function findPrice(
  model: string | null,
  { own, tables }: { own: readonly ModelPrice[]; tables: readonly PriceTable[] },
): ModelPrice | null {
  if (model === null) return null;
  const named = (name: string) => (price: ModelPrice) => price.model.toLowerCase() === name;
  const all = [...own, ...tables.flatMap(({ models }) => models)];
  return all.find(named(model.toLowerCase())) ?? all.find(named(plainName(model))) ?? null;
}

/** The spend with an estimated price where the agent told tokens only. Long prompts may cost more than the table says. */
export function estimateSpend(spend: Spend, price: ModelPrice | null): Spend {
  if (spend.usd !== null || price === null || totalTokens(spend) === 0) return spend;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const perMillion =
    spend.inputTokens * input +
    spend.outputTokens * output +
    spend.cacheReadTokens * cacheRead +
    spend.cacheWriteTokens * cacheWrite;
  return { ...spend, usd: perMillion / 1_000_000, isEstimated: true };
}

/** Without the provider before it and the date after it: `openai/gpt-5-2025-08-07` is `gpt-5`. */
function plainName(model: string): string {
  const name = model.toLowerCase().split("/").at(-1) ?? "";
  return name.replace(/\[\w+\]$/, "").replace(/[-@]\d{4}-?\d{2}-?\d{2}$/, "");
}
