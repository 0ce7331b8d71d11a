import { describe, expect, it } from "vitest";
import { mutantsWanted, sealedSteps, type SealedEffort, type SealedFacts } from "./sealed-steps.ts";

const standard: SealedEffort = { effort: "standard", repeat: 3, probe: true };
const plain: SealedFacts = {
  areTestsChanged: false,
  isDisputable: false,
  isProven: false,
  turnedCount: 1,
  longestMs: 500,
};

function check(wanted: Partial<SealedEffort>, facts: Partial<SealedFacts>, expected: string): void {
  expect(sealedSteps({ ...standard, ...wanted }, { ...plain, ...facts }).join(" ")).toBe(expected);
}

describe("the steps of a sealed verification", () => {
  it("are tools, locks, forbidden lines, repeats and the probe by default", () => {
    check({}, {}, "tools locks forbid repeats probe");
  });

  it("have the candidate's own tests where tests of the base were changed", () => {
    check({}, { areTestsChanged: true }, "tools locks forbid repeats own-tests probe");
  });

  it("have no repeats where no test turned, where one run is wanted, or where a check is slow", () => {
    check({}, { turnedCount: 0 }, "tools locks forbid probe");
    check({ repeat: 1 }, {}, "tools locks forbid probe");
    check({}, { longestMs: 120_001 }, "tools locks forbid probe");
  });

  it("have mutants where they are wanted, and with all effort, which also repeats slow checks", () => {
    check({ mutants: 5 }, {}, "tools locks forbid repeats probe mutants");
    check({ effort: "thorough" }, { longestMs: 120_001 }, "tools locks forbid repeats probe mutants");
    check({ effort: "quick", mutants: 5 }, {}, "tools locks");
    expect(mutantsWanted({ effort: "thorough", mutants: 3 })).toBe(3);
  });

  it("run no suite again when little effort is wanted", () => {
    check({ effort: "quick" }, { areTestsChanged: true }, "tools locks");
  });

  it("are the candidate's own tests where the base's form of changed tests is red", () => {
    check({}, { areTestsChanged: true, isDisputable: true }, "tools locks own-tests");
    check({ effort: "quick" }, { areTestsChanged: true, isDisputable: true }, "tools locks own-tests");
  });

  it("run no check again that another gate verified", () => {
    check({}, { isProven: true, areTestsChanged: true }, "tools locks");
  });

  it("have no probe where it is switched off", () => {
    check({ probe: false }, {}, "tools locks forbid repeats");
  });
});
