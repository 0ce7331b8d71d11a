import { describe, expect, it } from "vitest";
import {
  countReason,
  equalReasonsMax,
  isGivenUp,
  isHostTired,
  isSentTooOften,
  type ReasonCount,
} from "./equal-reasons.ts";

const none: ReasonCount = { reason: "", times: 0 };

function after(...reasons: string[]): ReasonCount {
  return reasons.reduce(countReason, none);
}

describe("equal reasons of a refused stop", () => {
  it("are counted in a row, and another reason begins again (CW-4R)", () => {
    expect(after("red", "red", "red").times).toBe(3);
    expect(after("red", "red", "other", "red").times).toBe(1);
  });

  it("are told apart by their beginning and their length", () => {
    const long = "x".repeat(10_000);
    expect(after(long, `${long}y`).times).toBe(1);
    expect(after(long, long).reason.length).toBeLessThan(5000);
  });

  it("hold a stop back five times, or as often as is said (CW-4R)", () => {
    const times = (count: number) => after(...Array.from({ length: count }, () => "red"));
    expect([isGivenUp(times(equalReasonsMax)), isGivenUp(times(equalReasonsMax + 1))]).toEqual([false, true]);
    expect([isGivenUp(times(1), 1), isGivenUp(times(2), 1)]).toEqual([false, true]);
  });
});

describe("refusals of any reason", () => {
  it("let the agent go after twenty in a row (CW-4R)", () =>
    expect([isSentTooOften(19), isSentTooOften(20)]).toEqual([false, true]));

  it("stop before the host ends the turn by itself (R-107)", () => {
    expect(isHostTired(7, { isRow: true, blocksMax: 8 })).toBe(false);
    expect(isHostTired(8, { isRow: true, blocksMax: 8 })).toBe(true);
    expect(isHostTired(8, { isRow: false, blocksMax: 8 })).toBe(false);
    expect(isHostTired(99, { isRow: true, blocksMax: null })).toBe(false);
  });
});
