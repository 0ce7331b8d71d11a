import { describe, expect, it } from "vitest";
import type { Verdict } from "../../core/verification/verdict.ts";
import { found, type FoundFacts } from "./found.ts";
import { aloneVerdict } from "./verify-alone.ts";

describe("the verdict of a criterion that was verified without a run", () => {
  const criterion = {
    promise: "DONE",
    description: "",
    maxIterations: null,
    verification: { method: "string_match" as const, promise: null, isLoose: false },
  };

  function check(facts: Partial<FoundFacts>, expected: Partial<Verdict>): void {
    const { isFallback, isUnverified, name } = aloneVerdict(0, criterion, found(true, "It is there.", facts));
    expect({ isFallback, isUnverified, name }).toEqual({ name: "DONE", ...expected });
  }

  it("says what it rests on: evidence, the agent's word, or its word because the judge was silent", () => {
    check({}, {});
    check({ isUnverified: true }, { isUnverified: true });
    check({ isFallback: true }, { isFallback: true, isUnverified: true });
  });

  it("keeps the end of a long output", () => {
    const { output } = aloneVerdict(0, criterion, found(false, "", { output: `${"x".repeat(5000)}end\n` }));
    expect("text" in output ? [output.text.length, output.text.slice(-3)] : null).toEqual([4096, "end"]);
  });
});
