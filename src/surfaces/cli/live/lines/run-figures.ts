import { formatTokens, knownUsd } from "../../../../core/agents/format-spend.ts";
import type { Spend } from "../../../../core/agents/spend.ts";
import { formatDuration } from "../../../../core/text/duration.ts";

/** The figures of a turn or a run. */
export type Figures = { spend: Spend; tools: number; errors: number; timeMs: number };

/** The figures in S1-76's order and words: `cost: $5.76, tokens: 1.2M in (850K cached) / 45K out, tools: 58, …`. */
export function figuresText({ spend, tools, errors, timeMs }: Figures): string {
  return [
    `cost: ${costText(spend)}`,
    `tokens: ${formatTokens(spend)}`,
    `tools: ${tools}`,
    `errors: ${errors}`,
    `time: ${formatDuration(timeMs)}`,
  ].join(", ");
}

/** Unknown is never zero. */
function costText(spend: Spend): string {
  return spend.usd === null ? "unknown" : knownUsd({ ...spend, usd: spend.usd });
}
