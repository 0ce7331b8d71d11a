import { expect, it } from "vitest";
import { noSpend } from "../agents/spend.ts";
import { cutAnswer, plainAnswer } from "./gate-answer.ts";

it("a plain answer knows nothing beyond its verdicts", () =>
  expect(plainAnswer([])).toEqual({
    verdicts: [],
    isCut: false,
    spend: noSpend,
    stop: null,
    slot: null,
    word: null,
  }));

it("a gate that was cut off has no verdict, and what it cost counts", () => {
  const spend = { ...noSpend, usd: 1 };
  expect(cutAnswer(spend)).toMatchObject({ verdicts: [], isCut: true, spend });
});
