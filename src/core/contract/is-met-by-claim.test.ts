import { expect, it } from "vitest";
import type { Verification } from "../tasks/criteria/completion-spec.ts";
import { isMetByClaim } from "./is-met-by-claim.ts";

const matched: Verification = { method: "string_match", promise: null, isLoose: false };
const judged: Verification = { method: "semantic", checkFor: [], negativePatterns: [], model: null };

function stages(second: Verification, isRequired: boolean): Verification {
  const all = [
    { name: "a", isRequired: true, isAlways: false, verification: matched },
    { name: "b", isRequired, isAlways: false, verification: second },
  ];
  return { method: "multi_stage", stages: all, requireAll: true, parallelMax: 1 };
}

it("a claim alone meets a promise, and stages of which all required ones are promises (R-16)", () => {
  const rows = [matched, judged, stages(matched, true), stages(judged, true), stages(judged, false)];
  expect(rows.map(isMetByClaim)).toEqual([true, false, true, false, true]);
});
