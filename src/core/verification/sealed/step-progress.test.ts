import { describe, expect, it } from "vitest";
import type { SealedStep } from "./sealed-steps.ts";
import { progressOf, stepWords } from "./step-progress.ts";
import { stepTitle } from "./step-titles.ts";

const steps: SealedStep[] = ["tools", "locks", "forbid", "repeats", "probe", "mutants"];
const wanted = { effort: "standard" as const, repeat: 3, probe: true, mutants: 4 };

describe("the progress of a sealed verification", () => {
  it("counts the steps, and what is left of them by the last run of the checks", () => {
    const costs = { wanted, suiteMs: 10_000, singleMs: 5_000 };
    const left = steps.map((_, at) => progressOf(steps, at, costs));
    expect(left.slice(0, 3)).toEqual([null, null, null]);
    expect(left.slice(3)).toEqual([
      { title: stepTitle("repeats"), at: 4, of: 6, leftMs: 75_000 },
      { title: stepTitle("probe"), at: 5, of: 6, leftMs: 55_000 },
      { title: stepTitle("mutants"), at: 6, of: 6, leftMs: 40_000 },
    ]);
  });

  it("is one line", () => {
    const progress = { title: stepTitle("probe"), at: 5, of: 6, leftMs: 55_000 };
    expect(stepWords(progress)).toBe("step 5 of 6, about 55s left: sealed: false expectations are noticed");
  });

  it("is not shown where everything is over soon", () => {
    expect(progressOf(steps, 3, { wanted, suiteMs: 200, singleMs: 0 })).toBeNull();
  });
});
