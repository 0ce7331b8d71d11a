import { describe, expect, it } from "vitest";
import { estimateSpend, findPrice, type ModelPrice } from "./model-price.ts";
import { addSpend, noSpend, unknownSpend } from "./spend.ts";

const tables = [{ source: "list", knownAt: "2026-06", models: [{ model: "big-1", input: 2, output: 10 }] }];
const price: ModelPrice = { model: "m", input: 2, output: 10, cacheRead: 0.5, cacheWrite: 3 };

describe("findPrice", () => {
  it.each([
    ["big-1", 2],
    ["BIG-1", 2],
    ["vendor/big-1", 2],
    ["big-1-2026-01-31", 2],
    ["big-1-20260131", 2],
    ["big-1[1m]", 2],
    ["big-1-mini", null],
    ["big-10", null],
    [null, null],
  ])("knows of %j the input price %j", (model, expected) =>
    expect(findPrice(model, { own: [], tables })?.input ?? null).toBe(expected),
  );

  it("takes a person's own price before a public one", () => {
    const own = [{ model: "big-1", input: 7, output: 7 }];
    expect(findPrice("vendor/big-1", { own, tables })?.input).toBe(7);
    expect(findPrice("vendor/x", { own: [{ model: "vendor/x", input: 1, output: 1 }], tables })?.input).toBe(1);
  });
});

describe("estimateSpend", () => {
  const tokens = {
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cacheReadTokens: 2_000_000,
    cacheWriteTokens: 1_000_000,
  };

  it("prices every kind of token and says that it is an estimate", () => {
    expect(estimateSpend({ ...unknownSpend, ...tokens }, price)).toEqual({ ...tokens, usd: 7, isEstimated: true });
    expect(estimateSpend({ ...unknownSpend, ...tokens }, { model: "m", input: 2, output: 10 }).usd).toBe(9);
  });

  it("leaves a price that the agent told, and one that nobody knows", () => {
    expect(estimateSpend({ ...noSpend, ...tokens, usd: 5 }, price)).toEqual({ ...noSpend, ...tokens, usd: 5 });
    expect(estimateSpend({ ...unknownSpend, ...tokens }, null).usd).toBeNull();
    expect(estimateSpend(unknownSpend, price)).toBe(unknownSpend);
  });

  it("stays an estimate in every sum", () => {
    const estimated = estimateSpend({ ...unknownSpend, inputTokens: 1_000_000 }, price);
    expect(addSpend({ ...noSpend, usd: 1 }, estimated)).toMatchObject({ usd: 3, isEstimated: true });
    expect(addSpend({ ...noSpend, usd: 1 }, { ...noSpend, usd: 1 })).not.toHaveProperty("isEstimated");
  });
});
