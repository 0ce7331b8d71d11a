import { describe, expect, it } from "vitest";
import { formatCount, formatUsd } from "./format-spend.ts";
import { addSpend, noSpend, type Spend, subtractSpend, totalTokens, unknownSpend } from "./spend.ts";

const spend = (usd: number | null, tokens = 0): Spend => ({ ...noSpend, usd, inputTokens: tokens });

describe("addSpend", () => {
  function check(first: Spend, second: Spend, expected: Spend): void {
    expect(addSpend(first, second)).toEqual(expected);
    expect(addSpend(second, first)).toEqual(expected);
  }

  it("adds each kind of token and the price", () =>
    check(
      { usd: 1, inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
      { usd: 0.5, inputTokens: 10, outputTokens: 20, cacheReadTokens: 30, cacheWriteTokens: 40 },
      { usd: 1.5, inputTokens: 11, outputTokens: 22, cacheReadTokens: 33, cacheWriteTokens: 44 },
    ));

  it("leaves an unknown price unknown, also next to nothing", () => {
    check(unknownSpend, noSpend, unknownSpend);
    check(spend(null, 5), spend(null, 6), spend(null, 11));
  });

  it("keeps the known part of a price as the least it cost, so that a budget still holds", () => {
    const partial = { ...spend(2, 15), isPartial: true as const };
    check(spend(2, 10), spend(null, 5), partial);
    check(partial, spend(1), { ...spend(3, 15), isPartial: true });
  });
});

describe("subtractSpend", () => {
  it("leaves what came on top, of each kind and never less than nothing", () => {
    const total = { usd: 3, inputTokens: 10, outputTokens: 20, cacheReadTokens: 30, cacheWriteTokens: 4 };
    const before = { usd: 1, inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 40 };
    const rest = { usd: 2, inputTokens: 9, outputTokens: 18, cacheReadTokens: 27, cacheWriteTokens: 0 };
    expect(subtractSpend(total, before)).toEqual(rest);
  });

  it("keeps an unknown price unknown, and takes nothing off for an unknown one", () => {
    expect(subtractSpend(spend(null, 5), spend(1, 2))).toEqual(spend(null, 3));
    expect(subtractSpend(spend(2, 5), spend(null, 2))).toEqual(spend(2, 3));
  });
});

describe("spend for people", () => {
  it("counts tokens of every kind together", () =>
    expect(
      totalTokens({ usd: 0, inputTokens: 1, outputTokens: 10, cacheReadTokens: 100, cacheWriteTokens: 1000 }),
    ).toBe(1111));

  it("never makes up a price", () => {
    expect(formatUsd(noSpend)).toBe("$0.00");
    expect(formatUsd(spend(1.204))).toBe("$1.20");
    expect(formatUsd(unknownSpend)).toBe("cost unknown");
    expect(formatUsd(spend(null, 12_300))).toBe("cost unknown, 12.3K tokens");
    expect(formatUsd({ ...spend(1), isPartial: true })).toBe("at least $1.00");
  });

  it("shortens counts of tokens for people", () =>
    expect([0, 999, 1000, 12_345, 999_949, 999_950, 1_200_000].map(formatCount)).toEqual([
      "0",
      "999",
      "1K",
      "12.3K",
      "999.9K",
      "1M",
      "1.2M",
    ]));
});
