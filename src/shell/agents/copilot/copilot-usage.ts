import { isObject } from "../../../core/text/is-object.ts";
import { addSpend, type Spend, unknownSpend } from "../../../core/agents/spend.ts";
import { countOf, type JsonObject, objectOf } from "../../streams/json-value.ts";

/** Reads what `--usage-output-file` wrote: tokens by model, sub-agents included, cached input within the input. */
export function copilotUsage(text: string): Spend | null {
  const models = modelMetricsOf(text);
  return models === null
    ? null
    : Object.values(models).reduce<Spend>((sum, model) => addSpend(sum, spendOf(model)), unknownSpend);
}

function modelMetricsOf(text: string): JsonObject | null {
  try {
    const { modelMetrics } = objectOf(JSON.parse(text));
    return isObject(modelMetrics) ? modelMetrics : null;
  } catch {
    // A program that was killed may have left half a file.
    return null;
  }
}

/** Premium requests and credits are not dollars, so the price stays unknown. */
function spendOf(model: unknown): Spend {
  const usage = objectOf(objectOf(model)["usage"]);
  const cacheReadTokens = countOf(usage["cacheReadTokens"]);
  const cacheWriteTokens = countOf(usage["cacheWriteTokens"]);
  return {
    usd: null,
    inputTokens: Math.max(0, countOf(usage["inputTokens"]) - cacheReadTokens - cacheWriteTokens),
    outputTokens: countOf(usage["outputTokens"]),
    cacheReadTokens,
    cacheWriteTokens,
  };
}
