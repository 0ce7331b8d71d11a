import { describe, expect, it } from "vitest";
import { parseSettings } from "../parse-settings.ts";
import { runPolicy } from "./run-policy.ts";
import { restartLimitsDefault, supervisePolicy } from "./supervise-policy.ts";
import { isFinalTask } from "./delivery-task.ts";
import { unknownCostWarning } from "./unknown-cost.ts";

describe("runPolicy", () => {
  it("takes every number of the settings to its place, each limit separately (CB-15)", () => {
    const settings = parseSettings([
      {
        source: "test",
        value: {
          maximumIterations: 7,
          completionResponse: "OK",
          agent: { timeout: "1ms", idleTimeout: "2ms", resultGrace: "3ms", retryDelay: "4ms", context: "continue" },
          guardrailTimeout: "5ms",
          guardrails: [{ command: "a", failAction: "APPEND" }],
          completion: { signals: ["response"], requireProgress: true },
          breaker: { failures: 6, noProgress: 8 },
          budget: { spend: 9, tokens: 10, time: "11ms" },
          scm: { command: "git", tasks: ["commit"] },
        },
      },
    ]);
    expect(runPolicy(settings)).toMatchObject({
      kind: "run",
      iterationsMax: 7,
      completionText: "OK",
      signals: ["response"],
      requireProgress: true,
      hasDelivery: true,
      turnWallMs: 1,
      turnIdleMs: 2,
      resultGraceMs: 3,
      retryDelayMs: 4,
      failuresMax: 6,
      unchangedMax: 8,
      budgetUsd: 9,
      budgetTokens: 10,
      budgetMs: 11,
      context: "continue",
    });
  });

  it("is a fresh context and ten iterations by default (CB-02, CB-06)", () =>
    expect(runPolicy(parseSettings([]))).toMatchObject({ iterationsMax: 10, context: "reset", hasDelivery: false }));

  it("stops after five turns without a change by default, or never where that is switched off", () => {
    const unchangedMax = (breaker: object): number | null =>
      runPolicy(parseSettings([{ source: "test", value: { breaker } }])).unchangedMax;
    expect([unchangedMax({}), unchangedMax({ noProgress: null })]).toEqual([5, null]);
  });

  it("is one iteration where the loop is switched off, whatever the limit says (S2-08)", () => {
    const value = { ralph: { enabled: false }, maximumIterations: "unbounded", budget: { tokens: 1 } };
    const settings = parseSettings([{ source: "test", value }]);
    expect(runPolicy(settings).iterationsMax).toBe(1);
    expect(supervisePolicy(settings, restartLimitsDefault).iterationsMax).toBe(1);
  });

  it("knows no limit of iterations as null, and a retry delay switched off as none", () => {
    const value = { maximumIterations: "unbounded", budget: { tokens: 1 }, agent: { retryDelay: null } };
    expect(runPolicy(parseSettings([{ source: "test", value }]))).toMatchObject({
      iterationsMax: null,
      retryDelayMs: 0,
    });
  });
});

describe("isFinalTask", () => {
  it.each([
    ["pr", true],
    ["pr --draft", true],
    ["push", false],
    ["prune", false],
    ["commit", false],
  ])("%j is delivered after completion: %j", (task, expected) => expect(isFinalTask(task)).toBe(expected));
});

describe("a budget", () => {
  const warn = (value: object, told: { tellsTokens?: boolean; tellsCost?: boolean } = {}): string | null =>
    unknownCostWarning(parseSettings([{ source: "test", value }]), {
      name: "helper",
      tellsTokens: true,
      tellsCost: false,
      ...told,
    });

  it("is kept where the agent tells what it counts", () => {
    expect(warn({ budget: { spend: 5, tokens: 5 } }, { tellsCost: true })).toBeNull();
    expect(warn({ budget: { tokens: 5 } })).toBeNull();
    expect(warn({ budget: { time: "1h" } }, { tellsTokens: false })).toBeNull();
    expect(warn({}, { tellsTokens: false })).toBeNull();
  });

  it("of tokens or cost is refused for an agent that tells neither (CB-02)", () => {
    expect(() => warn({ budget: { tokens: 9 } }, { tellsTokens: false })).toThrow("so budget.tokens cannot be kept");
    expect(() => warn({ budget: { spend: 9 } }, { tellsTokens: false })).toThrow("so budget.spend cannot be kept");
    expect(() => warn({ budget: { spend: 9, tokens: 9 } }, { tellsTokens: false })).toThrow("helper");
  });

  it("of cost is refused where the price is not known, unless one of tokens stands in for it (CB-02)", () => {
    expect(() => warn({ budget: { spend: 5 } })).toThrow("the price of its model is not known");
    expect(warn({ budget: { spend: 5, tokens: 100 } })).toContain("the budget of 100 tokens counts instead");
  });
});
