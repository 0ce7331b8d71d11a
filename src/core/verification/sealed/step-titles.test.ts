import { describe, expect, it } from "vitest";
import { sealedStepNames } from "./sealed-steps.ts";
import { reproduceCommand, stepTitle } from "./step-titles.ts";

describe("the command that shows a refusal again", () => {
  it.each(sealedStepNames)("asks for the step %s alone", (step) => {
    const red = { name: stepTitle(step), isPassed: false };
    expect(reproduceCommand(red, "r1")).toBe(`ralph verify r1 --step ${step}`);
  });

  it("asks for everything where a check itself is red in the copy", () => {
    expect(reproduceCommand({ name: "npm test", isPassed: false, isSealed: true }, "a..b")).toBe("ralph verify a..b");
  });

  it("is none for what is green, and for what ran in the tree of the agent", () => {
    expect(reproduceCommand({ name: stepTitle("probe"), isPassed: true }, "r1")).toBeNull();
    expect(reproduceCommand({ name: "npm test", isPassed: false }, "r1")).toBeNull();
  });
});
