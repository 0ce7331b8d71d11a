import { noSpend, type Spend } from "../../core/agents/spend.ts";
import { countOf, isObject, priceOf, objectOf, type JsonObject } from "./json-value.ts";

type Tokens = Omit<Spend, "usd">;

/** Adds up the tokens of one stream. Totals never go back; the price is known from the first result on. */
export type SpendCounter = {
  /** Counts a message's usage once, however often its id comes. Returns the new total, or null when nothing changed. */
  message(messageId: string, usage: unknown): Spend | null;
  /** Takes over the sums of a result line, which cover the whole process so far. */
  result(line: JsonObject): Spend;
};

/** A message's first lines carry a placeholder for its output, so the larger number of each kind counts. */
export function createSpendCounter(): SpendCounter {
  const messages = new Map<string, Tokens>();
  let total: Tokens = noTokens;
  let resultTotal: Tokens = noTokens;
  let usd: number | null = null;

  return {
    message(messageId, usage) {
      const before = messages.get(messageId) ?? noTokens;
      const told = messageTokens(objectOf(usage));
      if (isWithin(told, before)) return null;
      const now = largest(before, told);
      messages.set(messageId, now);
      total = add(
        total,
        combine(now, before, (first, second) => first - second),
      );
      return { usd, ...total };
    },
    result(line) {
      usd = priceOf(line["total_cost_usd"]) ?? usd;
      resultTotal = add(resultTotal, messageTokens(objectOf(line["usage"])));
      total = largest(total, modelTokens(line["modelUsage"]) ?? resultTotal);
      return { usd, ...total };
    },
  };
}

const { usd: _free, ...noTokens } = noSpend;

function messageTokens(usage: JsonObject): Tokens {
  return {
    inputTokens: countOf(usage["input_tokens"]),
    outputTokens: countOf(usage["output_tokens"]),
    cacheReadTokens: countOf(usage["cache_read_input_tokens"]),
    cacheWriteTokens: countOf(usage["cache_creation_input_tokens"]),
  };
}

function modelTokens(modelUsage: unknown): Tokens | null {
  if (!isObject(modelUsage)) return null;
  return Object.values(modelUsage)
    .map((model) => {
      const usage = objectOf(model);
      return {
        inputTokens: countOf(usage["inputTokens"]),
        outputTokens: countOf(usage["outputTokens"]),
        cacheReadTokens: countOf(usage["cacheReadInputTokens"]),
        cacheWriteTokens: countOf(usage["cacheCreationInputTokens"]),
      };
    })
    .reduce(add, noTokens);
}

function isWithin(told: Tokens, before: Tokens): boolean {
  return (
    told.inputTokens <= before.inputTokens &&
    told.outputTokens <= before.outputTokens &&
    told.cacheReadTokens <= before.cacheReadTokens &&
    told.cacheWriteTokens <= before.cacheWriteTokens
  );
}

function add(first: Tokens, second: Tokens): Tokens {
  return combine(first, second, (one, other) => one + other);
}

function largest(first: Tokens, second: Tokens): Tokens {
  return combine(first, second, Math.max);
}

function combine(first: Tokens, second: Tokens, by: (one: number, other: number) => number): Tokens {
  return {
    inputTokens: by(first.inputTokens, second.inputTokens),
    outputTokens: by(first.outputTokens, second.outputTokens),
    cacheReadTokens: by(first.cacheReadTokens, second.cacheReadTokens),
    cacheWriteTokens: by(first.cacheWriteTokens, second.cacheWriteTokens),
  };
}
