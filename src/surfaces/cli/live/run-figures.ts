import { formatCount } from "../../../core/agents/format-spend.ts";
import type { Spend } from "../../../core/agents/spend.ts";
import { formatDuration } from "../../../core/text/duration.ts";

/** The figures of a turn or a run. */
export type Figures = { spend: Spend; tools: number; errors: number; timeMs: number };

/** The figures in S1-76's order and words: `cost: $5.76, tokens: 1.2M in (850K cached) / 45K out, tools: 58, …`. */
export function figuresText({ spend, tools, errors, timeMs }: Figures): string {
  return [
    `cost: ${costText(spend)}`,
    `tokens: ${tokensText(spend)}`,
    `tools: ${tools}`,
    `errors: ${errors}`,
    `time: ${formatDuration(timeMs)}`,
  ].join(", ");
}

/** Unknown is never zero; a price that is known in part is a lower bound. */
function costText({ usd, isPartial }: Spend): string {
  if (usd === null) return "unknown";
  return `${isPartial === true ? "at least " : ""}$${usd.toFixed(2)}`;
}

/** All input tokens, and the part that came from the provider's cache. */
function tokensText({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Spend): string {
  const cached = cacheReadTokens === 0 ? "" : ` (${formatCount(cacheReadTokens)} cached)`;
  return `${formatCount(inputTokens + cacheReadTokens + cacheWriteTokens)} in${cached} / ${formatCount(outputTokens)} out`;
}
