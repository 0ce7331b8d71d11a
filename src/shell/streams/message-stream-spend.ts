import { isObject } from "../../core/text/is-object.ts";
import { noSpend, type Spend } from "../../core/agents/spend.ts";
import { countOf, priceOf, objectOf, type JsonObject } from "./json-value.ts";
import { createRecentMap } from "./recent-map.ts";

type Tokens = Omit<Spend, "usd">;

/** Adds up the tokens of one stream. Totals never go back; the price is known from the first result on. */
export type SpendCounter = {
  /** Counts a message's usage once, however often its id comes. Returns the new total, or null when nothing changed. */
  message(messageId: string, usage: unknown): Spend | null;
  /** Adds what a result line tells on top of the results before it. */
  result(line: JsonObject): Spend;
};

/**
 * A message's first lines carry a placeholder for its output, so the larger number of each kind counts. The sums of a
 * result cover a continued session from its beginning; newer versions also tell what came since the result before.
 */
export function createSpendCounter(): SpendCounter {
  const messages = createRecentMap<Tokens>(messagesKept, () => {});
  let total: Tokens = noTokens;
  let resultTotal: Tokens = noTokens;
  let usd: number | null = null;
  let usdSince: number | null = 0;

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
      const since = line["model_usage_since_last_result"];
      if (isObject(since)) {
        usdSince = addPrices(usdSince, since);
        usd = usdSince;
        resultTotal = add(resultTotal, modelTokens(since) ?? noTokens);
        total = largest(total, resultTotal);
        return { usd, ...total };
      }
      usd = priceOf(line["total_cost_usd"]) ?? usd;
      resultTotal = add(resultTotal, messageTokens(objectOf(line["usage"])));
      total = largest(total, modelTokens(line["modelUsage"]) ?? resultTotal);
      return { usd, ...total };
    },
  };
}

const { usd: _free, ...noTokens } = noSpend;

/** Messages whose further lines are expected: those of one message stand close together. */
const messagesKept = 1000;

function messageTokens(usage: JsonObject): Tokens {
  return {
    inputTokens: countOf(usage["input_tokens"]),
    outputTokens: countOf(usage["output_tokens"]),
    cacheReadTokens: countOf(usage["cache_read_input_tokens"]),
    cacheWriteTokens: countOf(usage["cache_creation_input_tokens"]),
  };
}

/** One price that is not known makes the sum unknown. */
function addPrices(sum: number | null, models: JsonObject): number | null {
  return Object.values(models)
    .map((model) => priceOf(objectOf(model)["costUSD"]))
    .reduce((total, price) => (total === null || price === null ? null : total + price), sum);
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
