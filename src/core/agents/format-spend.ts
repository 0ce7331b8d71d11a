import { type Spend, totalTokens } from "./spend.ts";

/** A price for people: `$1.20`, or `unknown`, never a made-up zero. */
export function formatUsd(spend: Spend): string {
  if (spend.usd !== null) return `${spend.isPartial === true ? "at least " : ""}$${spend.usd.toFixed(2)}`;
  return totalTokens(spend) === 0 ? "cost unknown" : `cost unknown, ${formatCount(totalTokens(spend))} tokens`;
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
