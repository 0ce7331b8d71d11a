import { describe, expect, it } from "vitest";
import { closest } from "./closest.ts";
import { formatDuration, parseDuration } from "./duration.ts";
import { mergeLayers } from "./merge.ts";
import { parseSettings } from "./parse-settings.ts";
import { runPolicy } from "./run-policy.ts";
import { isFinalTask } from "./delivery-task.ts";
import { unknownCostWarning } from "./unknown-cost.ts";

describe("mergeLayers", () => {
  function check(base: unknown, over: unknown, expected: unknown): void {
    expect(mergeLayers(base, over)).toEqual(expected);
  }

  it("lets scalars and lists of the later layer replace, never joins lists (S1-11)", () => {
    check({ a: 1, list: [1, 2] }, { a: 2, list: [3] }, { a: 2, list: [3] });
    check({ list: [1] }, { list: [] }, { list: [] });
  });

  it("keeps keys that the later layer does not have, at any depth (S1-11, S1-12)", () =>
    check({ a: { b: { c: 1, d: 2 } } }, { a: { b: { d: 3 } } }, { a: { b: { c: 1, d: 3 } } }));

  it("never lets an absent value override (S1-06)", () => check({ a: 1 }, { a: undefined }, { a: 1 }));

  it("lets null, false and zero override", () =>
    check({ a: 1, b: true, c: 3 }, { a: null, b: false, c: 0 }, { a: null, b: false, c: 0 }));

  it("lets an object replace a scalar and a scalar an object", () => {
    check({ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } });
    check({ a: { b: 1 } }, { a: 1 }, { a: 1 });
  });

  it("changes neither layer and cannot reach a prototype", () => {
    const base = { a: { b: 1 } };
    mergeLayers(base, JSON.parse('{"a": {"c": 2}, "__proto__": {"polluted": true}}'));
    expect(base).toEqual({ a: { b: 1 } });
    expect("polluted" in {}).toBe(false);
  });
});

describe("parseDuration", () => {
  it.each<[string | number, number | null]>([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["2h", 7_200_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["1d", 86_400_000],
    ["250ms", 250],
    ["250", 250],
    [250, 250],
    [" 5s ", 5000],
    ["", null],
    ["5", 5],
    ["5 s", null],
    ["-5s", null],
    ["5x", null],
    ["s", null],
    [-1, null],
    [Infinity, null],
    [Number.NaN, null],
  ])("reads %j as %j", (text, expected) => expect(parseDuration(text)).toBe(expected));
});

describe("formatDuration", () => {
  it.each([
    [0, "0.0s"],
    [400, "0.4s"],
    [1234, "1.2s"],
    [9949, "9.9s"],
    [9950, "10s"],
    [59_499, "59s"],
    [59_999, "1m0s"],
    [367_000, "6m7s"],
    [3_599_999, "1h0m"],
    [7_380_000, "2h3m"],
  ])("shows %i ms as %s", (ms, expected) => expect(formatDuration(ms)).toBe(expected));
});

describe("closest", () => {
  it.each([
    ["statsu", "status"],
    ["RESUME", "resume"],
    ["resum", "resume"],
    ["xyzzy", null],
    ["", null],
  ])("takes %j for %j", (word, expected) => expect(closest(word, ["status", "resume", "cancel"])).toBe(expected));

  it("is nothing without candidates", () => expect(closest("a", [])).toBeNull());
});

describe("runPolicy", () => {
  it("takes every number of the settings to its place, each limit separately (CB-15)", () => {
    const settings = parseSettings([
      {
        source: "test",
        value: {
          maximumIterations: 7,
          completionResponse: "OK",
          agent: { timeout: 1, idleTimeout: 2, resultGrace: 3, retryDelay: 4, context: "continue" },
          guardrailTimeout: 5,
          guardrails: [{ command: "a", failAction: "APPEND" }],
          completion: { signals: ["response"], requireProgress: true },
          breaker: { failures: 6, noProgress: 8 },
          budget: { spend: 9, tokens: 10, time: 11 },
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

describe("a spend budget for an agent that does not tell its cost", () => {
  const warn = (value: object, reportsCost = false): string | null =>
    unknownCostWarning(parseSettings([{ source: "test", value }]), { name: "helper", reportsCost });

  it("is no matter when the agent tells it, or when there is no such budget", () => {
    expect(warn({ budget: { spend: 5 } }, true)).toBeNull();
    expect(warn({})).toBeNull();
  });

  it("is said at the start, with what counts instead", () => {
    expect(warn({ budget: { spend: 5, tokens: 100 } })).toContain("the budget of 100 tokens counts instead");
    expect(warn({ budget: { spend: 5 } })).toContain("set a budget of tokens instead");
  });

  it("is refused when nothing else would end the run (CB-02)", () => {
    expect(() => warn({ maximumIterations: "unbounded", budget: { spend: 5 } })).toThrow("helper");
    expect(warn({ maximumIterations: "unbounded", budget: { spend: 5, time: "1h" } })).not.toBeNull();
  });
});
