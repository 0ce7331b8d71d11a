import { addSpend, noSpend, type Spend, totalTokens } from "../agents/spend.ts";
import type { Policy, PolicyChange } from "../run/policy.ts";

/** What of a work run's budgets is used: over all its roles, not per role. */
export type WorkUsed = { spend: Spend; usedMs: number };

/** The least a limit can be: an engine without any rest stops before its first turn. */
const leastUsd = 0.000_001;

/** What a role's run that begins now may use. */
export function budgetRest(policy: Policy, { spend, usedMs }: WorkUsed) {
  const { budgetUsd, budgetTokens, budgetMs } = policy;
  return {
    budgetUsd: budgetUsd === null ? null : Math.max(leastUsd, budgetUsd - (spend.usd ?? 0)),
    budgetTokens: budgetTokens === null ? null : Math.max(1, budgetTokens - totalTokens(spend)),
    budgetMs: budgetMs === null ? null : Math.max(1, budgetMs - usedMs),
  };
}

/** The same for a resumed role run: its own use is part of both sums. */
export function budgetChange(policy: Policy, used: WorkUsed, own: WorkUsed): PolicyChange {
  const rest = budgetRest(policy, used);
  return {
    budgetUsd: rest.budgetUsd === null ? null : rest.budgetUsd + (own.spend.usd ?? 0),
    budgetTokens: rest.budgetTokens === null ? null : rest.budgetTokens + totalTokens(own.spend),
    budgetMs: rest.budgetMs === null ? null : rest.budgetMs + own.usedMs,
  };
}

/** What several runs spent together. */
export function sumSpend(spends: Iterable<Spend>): Spend {
  return Array.from(spends).reduce(addSpend, noSpend);
}
