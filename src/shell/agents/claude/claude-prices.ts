import type { PriceTable } from "../../../core/agents/model-price.ts";

/** Standard prices of the API; writes to the cache are those of the five-minute one. */
export const claudePrices: PriceTable = {
  source: "Anthropic pricing, docs.anthropic.com/en/docs/about-claude/pricing",
  knownAt: "2026-02",
  models: [
    { model: "claude-opus-4-6", input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    { model: "claude-opus-4-5", input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    { model: "claude-opus-4-1", input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
    { model: "claude-opus-4", input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
    { model: "claude-sonnet-4-6", input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    { model: "claude-sonnet-4-5", input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    { model: "claude-sonnet-4", input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    { model: "claude-haiku-4-5", input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    { model: "claude-3-5-haiku", input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 },
  ],
};
