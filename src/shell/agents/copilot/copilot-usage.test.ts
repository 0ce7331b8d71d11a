import { expect, it } from "vitest";
import { copilotUsage } from "./copilot-usage.ts";

it("adds up the tokens of all models, without those that were cached twice, and knows no price", () => {
  const usage = { inputTokens: 1000, outputTokens: 50, cacheReadTokens: 300, cacheWriteTokens: 100 };
  const text = JSON.stringify({ totalPremiumRequestCost: 3, modelMetrics: { one: { usage }, two: { usage } } });
  expect(copilotUsage(text)).toEqual({
    usd: null,
    inputTokens: 1200,
    outputTokens: 100,
    cacheReadTokens: 600,
    cacheWriteTokens: 200,
  });
});

it("knows nothing from what is no usage", () => {
  for (const text of ["", "{", "null", "[]", "{}", '{"modelMetrics":[]}']) expect(copilotUsage(text)).toBeNull();
});
