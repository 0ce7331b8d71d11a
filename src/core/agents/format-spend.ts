import { type Spend, totalTokens } from "./spend.ts";

/** A price for people: `$1.20`, or `unknown`, never a made-up zero. */
export function formatUsd(spend: Spend): string {
  if (spend.usd !== null) return knownUsd({ ...spend, usd: spend.usd });
  return totalTokens(spend) === 0 ? "cost unknown" : `cost unknown, ${formatCount(totalTokens(spend))} tokens`;
}

/** All input tokens, the part that came from the provider's cache, and the output: `1.2M in (850K cached) / 45K out`. */
export function formatTokens({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Spend): string {
  const cached = cacheReadTokens === 0 ? "" : ` (${formatCount(cacheReadTokens)} cached)`;
  return `${formatCount(inputTokens + cacheReadTokens + cacheWriteTokens)} in${cached} / ${formatCount(outputTokens)} out`;
}

/** `$1.20`, as a lower bound where part of it is unknown, and marked where a table of prices gave it. */
export function knownUsd({
  usd,
  isPartial,
  isEstimated,
}: Pick<Spend, "isPartial" | "isEstimated"> & { usd: number }): string {
  return `${isPartial === true ? "at least " : ""}$${usd.toFixed(2)}${isEstimated === true ? " (estimated)" : ""}`;
}

/** `950`, `12.3K`, `1.2M`. */
export function formatCount(value: number): string {
  if (value < 1000) return String(value);
  // What rounds up to 1000K is 1M.
  if (value < 999_950) return `${trimmed(value / 1000)}K`;
  return `${trimmed(value / 1_000_000)}M`;
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}
