import { describe, expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { noSpend } from "../agents/spend.ts";
import type { Policy } from "../run/policy.ts";
import { newRun, type RunState } from "../run/state.ts";
import { overBudget, turnLimits, wallWithinBudget } from "./budget.ts";

const run = (policy: Partial<Policy>, change: Partial<RunState> = {}): RunState => ({
  ...newRun({ ...plain, ...policy }),
  ...change,
});

describe("overBudget", () => {
  function check(state: RunState, expected: string | null): void {
    expect(overBudget(state)).toBe(expected);
  }

  it("is null without any budget", () =>
    check(run({}, { spend: { ...noSpend, usd: 99, inputTokens: 1e9 }, usedMs: 1e12 }), null));

  it("counts the turn in flight to the money spent", () => {
    const spend = { ...noSpend, usd: 0.75 };
    check(run({ budgetUsd: 1 }, { spend }), null);
    check(
      run({ budgetUsd: 1 }, { spend, liveSpend: { ...noSpend, usd: 0.25 } }),
      "Spent $1.00 of the budget of $1.00.",
    );
  });

  it("cannot judge money that nobody counts", () =>
    check(run({ budgetUsd: 1 }, { spend: { ...noSpend, usd: null, inputTokens: 1e9 } }), null));

  it("counts tokens of every kind", () => {
    const spend = { usd: null, inputTokens: 10, outputTokens: 20, cacheReadTokens: 30, cacheWriteTokens: 40 };
    check(run({ budgetTokens: 101 }, { spend }), null);
    check(run({ budgetTokens: 100 }, { spend }), "Used 100 of 100 tokens.");
  });

  it("counts time against its budget", () => {
    check(run({ budgetMs: 90_000 }, { usedMs: 89_999 }), null);
    check(run({ budgetMs: 90_000 }, { usedMs: 90_000 }), "Used the time budget of 1m30s.");
  });
});

describe("limits of time", () => {
  function check(given: { budgetMs: number | null; usedMs: number; wallMs: number | null }, expected: number | null) {
    const { budgetMs, usedMs, wallMs } = given;
    expect(wallWithinBudget(run({ budgetMs }, { usedMs }), wallMs)).toBe(expected);
  }

  it("stay as they are without a time budget (CB-15)", () => {
    check({ budgetMs: null, usedMs: 500, wallMs: null }, null);
    check({ budgetMs: null, usedMs: 500, wallMs: 100 }, 100);
  });

  it("are cut to what is left of the time budget", () => {
    check({ budgetMs: 1000, usedMs: 400, wallMs: null }, 600);
    check({ budgetMs: 1000, usedMs: 400, wallMs: 900 }, 600);
    check({ budgetMs: 1000, usedMs: 400, wallMs: 200 }, 200);
  });

  it("never become zero, which would be no limit at all", () => check({ budgetMs: 1000, usedMs: 1000, wallMs: 50 }, 1));

  it("are separate for silence, the whole turn and the time after a result (CB-15, R-82)", () =>
    expect(turnLimits(run({ turnIdleMs: 10, turnWallMs: 20, resultGraceMs: 30 }))).toEqual({
      idleMs: 10,
      wallMs: 20,
      resultGraceMs: 30,
    }));
});
