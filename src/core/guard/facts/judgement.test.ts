import { expect, it } from "vitest";
import { cannotBeJudged, categoryNames, judgementOf, type Finding } from "./judgement.ts";

const warning: Finding = { category: 9, tier: "warn", reason: "w", subject: [] };
const refusal: Finding = { category: 1, tier: "block", reason: "b", subject: [] };

it("lets a refusal stand before every warning (S4-89)", () => {
  expect(judgementOf([])).toEqual({ decision: "allow", category: null, reason: "", findings: [] });
  expect(judgementOf([warning]).decision).toBe("warn");
  expect(judgementOf([warning, refusal])).toMatchObject({
    decision: "block",
    category: 1,
    findings: [refusal, warning],
  });
});

it("names all 18 categories in its reasons (S4-89)", () => {
  expect(Object.keys(categoryNames)).toHaveLength(18);
  expect(judgementOf([warning]).reason).toBe("package supply chain: w");
});

it("refuses with a reason what it cannot judge (R-124)", () => {
  expect(cannotBeJudged("a quote is not closed")).toMatchObject({ decision: "block", category: null });
  expect(cannotBeJudged("a quote is not closed").reason).toContain("a quote is not closed");
});
