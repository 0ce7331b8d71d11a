import { describe, expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { emptyReport } from "../agents/turn-report.ts";
import type { Failure } from "../agents/agent-event.ts";
import type { Policy } from "../run/policy.ts";
import { newRun } from "../run/state.ts";
import { backOffMs, limitWait, turnDelay } from "./back-off.ts";

describe("backOffMs", () => {
  const waits = (failuresInRow: number, retryDelayMs = 1000): number[] =>
    Array.from({ length: 200 }, (_, id) =>
      backOffMs({ ...newRun({ ...plain, retryDelayMs }), nextEffectId: id }, failuresInRow),
    );

  /** All waits after so many failures lie within a fifth of the expected one. */
  function check(failuresInRow: number, expectedMs: number): void {
    const all = waits(failuresInRow);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(expectedMs * 0.8);
    expect(Math.max(...all)).toBeLessThanOrEqual(expectedMs * 1.2);
  }

  it("doubles the delay with each failure in a row, with a fifth of jitter either way", () => {
    check(1, 1000);
    check(2, 2000);
    check(5, 16_000);
  });

  it("never waits longer than a minute", () => {
    expect(waits(7)).toEqual(waits(7).map((ms) => Math.min(ms, 60_000)));
    expect(waits(200)).toEqual(waits(200).map(() => 60_000));
  });

  it("spreads the waits of different orders and repeats that of the same order", () => {
    expect(new Set(waits(1)).size).toBeGreaterThan(100);
    expect(waits(3)).toEqual(waits(3));
  });

  it("differs between two runs that failed at the same moment", () => {
    const of = (seed: number): number => backOffMs(newRun({ ...plain, retryDelayMs: 1000, seed }), 1);
    expect(new Set([1, 2, 3, 4, 5].map((seed) => of(seed * 1_000_003))).size).toBeGreaterThan(3);
  });

  it("never waits past the time budget", () => {
    const state = { ...newRun({ ...plain, retryDelayMs: 1000, budgetMs: 5000 }), usedMs: 4900 };
    expect(backOffMs(state, 5)).toBe(100);
  });

  it("does not wait at all with a delay of zero", () => expect(new Set(waits(9, 0))).toEqual(new Set([0])));
});

describe("turnDelay", () => {
  const policy: Policy = { ...plain, claimBy: "done-file", restartDelayMs: 1000, isRestartDelayBounded: true };
  const spent = { usd: 1.2, inputTokens: 9, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

  it("is the restart delay, and nothing after the last turn (S3-07)", () => {
    const state = newRun({ ...policy, iterationsMax: 3 });
    expect(turnDelay({ ...state, iteration: 2 })).toEqual({ durationMs: 1000, reason: "restart-delay" });
    expect(turnDelay({ ...state, iteration: 3 })).toBe(null);
  });

  it("is nothing where the budget is used up, for no turn follows (S3-07)", () => {
    const delay = (limits: Partial<Policy>): unknown =>
      turnDelay({ ...newRun({ ...policy, ...limits }), spend: spent });
    expect(delay({ budgetUsd: 1.3 })).toEqual({ durationMs: 1000, reason: "restart-delay" });
    expect([delay({ budgetUsd: 1 }), delay({ budgetTokens: 10 })]).toEqual([null, null]);
  });
});

describe("limitWait", () => {
  const now = 1_000_000;

  function check(
    given: { failure: Failure | null; policy?: Partial<Policy>; usedMs?: number; limitWaitsInRow?: number },
    expected: ReturnType<typeof limitWait>,
  ): void {
    const { failure, policy = {}, usedMs = 0, limitWaitsInRow = 0 } = given;
    const state = { ...newRun({ ...plain, ...policy }), usedMs, limitWaitsInRow };
    expect(limitWait(state, { ...emptyReport, failure }, now)).toEqual(expected);
  }

  const limit = (resetAt: number | null): Failure => ({ kind: "limit", message: "limit", resetAt });

  it("is the time until the limit ends", () => check({ failure: limit(now + 5000) }, { durationMs: 5000 }));

  it("is nothing for another failure, or a limit without an end", () => {
    check({ failure: null }, null);
    check({ failure: { kind: "other", message: "", resetAt: now + 5000 } }, null);
    check({ failure: limit(null) }, null);
  });

  it("is the whole retry delay when the limit has already ended, so that a wrong clock cannot spin", () =>
    check({ failure: limit(now - 5), policy: { retryDelayMs: 1000 } }, { durationMs: 1000 }));

  it("is refused only when it would end after the time budget", () => {
    check({ failure: limit(now + 5000), policy: { budgetMs: 6000 }, usedMs: 1000 }, { durationMs: 5000 });
    check(
      { failure: limit(now + 5001), policy: { budgetMs: 6000 }, usedMs: 1000 },
      { refusal: "The usage limit resets at 1970-01-01T00:16:45.001Z, after the time budget ends." },
    );
  });

  it("is a failure when it lies more than a week ahead, or came too often in a row", () => {
    check({ failure: limit(now + 9 * 86_400_000) }, null);
    check({ failure: limit(now + 5000), limitWaitsInRow: 167 }, { durationMs: 5000 });
    check({ failure: limit(now + 5000), limitWaitsInRow: 168 }, null);
  });
});
