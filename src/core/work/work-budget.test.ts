import { expect, it } from "vitest";
import { noSpend, unknownSpend } from "../agents/spend.ts";
import { parseSettings } from "../settings/parse-settings.ts";
import { runPolicy } from "../settings/run/run-policy.ts";
import { budgetChange, budgetRest, sumSpend } from "./work-budget.ts";

const policy = { ...runPolicy(parseSettings([])), budgetUsd: 10, budgetTokens: 1000, budgetMs: 60_000 };
const used = { spend: { ...noSpend, usd: 4, inputTokens: 300 }, usedMs: 20_000 };

it("leaves a role what the roles before it left, and never nothing at all", () => {
  expect(budgetRest(policy, used)).toEqual({ budgetUsd: 6, budgetTokens: 700, budgetMs: 40_000 });
  const over = budgetRest(policy, { spend: { ...noSpend, usd: 99, inputTokens: 9999 }, usedMs: 99_999 });
  expect(over).toEqual({ budgetUsd: 0.000_001, budgetTokens: 1, budgetMs: 1 });
});

it("has no limit where the work has none", () =>
  expect(budgetRest({ ...policy, budgetUsd: null, budgetTokens: null, budgetMs: null }, used)).toEqual({
    budgetUsd: null,
    budgetTokens: null,
    budgetMs: null,
  }));

it("counts what a role used itself only once when it goes on", () =>
  expect(budgetChange(policy, used, { spend: { ...noSpend, usd: 1, inputTokens: 100 }, usedMs: 5000 })).toEqual({
    budgetUsd: 7,
    budgetTokens: 800,
    budgetMs: 45_000,
  }));

it("sums known and unknown prices to at least the known ones", () =>
  expect(sumSpend([noSpend, { ...noSpend, usd: 1 }, { ...unknownSpend, inputTokens: 5 }])).toMatchObject({
    usd: 1,
    isPartial: true,
  }));
