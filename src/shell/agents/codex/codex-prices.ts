import type { PriceTable } from "../../../core/agents/model-price.ts";

/** Standard prices of the API. A subscription pays otherwise: there the estimate says what the same work would cost. */
export const codexPrices: PriceTable = {
  source: "OpenAI API pricing, platform.openai.com/docs/pricing",
  knownAt: "2026-02",
  models: [
    { model: "gpt-5.3-codex", input: 1.75, output: 14, cacheRead: 0.175 },
    { model: "gpt-5.2", input: 1.75, output: 14, cacheRead: 0.175 },
    { model: "gpt-5.2-codex", input: 1.75, output: 14, cacheRead: 0.175 },
    { model: "gpt-5.1", input: 1.25, output: 10, cacheRead: 0.125 },
    { model: "gpt-5.1-codex", input: 1.25, output: 10, cacheRead: 0.125 },
    { model: "gpt-5", input: 1.25, output: 10, cacheRead: 0.125 },
    { model: "gpt-5-codex", input: 1.25, output: 10, cacheRead: 0.125 },
    { model: "gpt-5-mini", input: 0.25, output: 2, cacheRead: 0.025 },
    { model: "gpt-5-nano", input: 0.05, output: 0.4, cacheRead: 0.005 },
    { model: "gpt-4.1", input: 2, output: 8, cacheRead: 0.5 },
    { model: "gpt-4.1-mini", input: 0.4, output: 1.6, cacheRead: 0.1 },
    { model: "gpt-4o", input: 2.5, output: 10, cacheRead: 1.25 },
    { model: "gpt-4o-mini", input: 0.15, output: 0.6, cacheRead: 0.075 },
    { model: "o3", input: 2, output: 8, cacheRead: 0.5 },
    { model: "o4-mini", input: 1.1, output: 4.4, cacheRead: 0.275 },
  ],
};
