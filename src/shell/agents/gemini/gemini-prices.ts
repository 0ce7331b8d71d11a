import type { PriceTable } from "../../../core/agents/model-price.ts";

/** Standard prices of the API for prompts of up to 200,000 tokens; longer ones cost more. */
export const geminiPrices: PriceTable = {
  source: "Gemini API pricing, ai.google.dev/gemini-api/docs/pricing",
  knownAt: "2026-02",
  models: [
    { model: "gemini-3-pro-preview", input: 2, output: 12, cacheRead: 0.2 },
    { model: "gemini-2.5-pro", input: 1.25, output: 10, cacheRead: 0.125 },
    { model: "gemini-2.5-flash", input: 0.3, output: 2.5, cacheRead: 0.03 },
    { model: "gemini-2.5-flash-lite", input: 0.1, output: 0.4, cacheRead: 0.01 },
  ],
};
