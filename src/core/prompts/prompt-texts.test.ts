import { describe, expect, it } from "vitest";
import { claimInstruction, iterationLine, wrongPromiseNote } from "./prompt-texts.ts";

describe("texts an agent reads", () => {
  it("count what remains down to none (S1-40)", () => {
    expect(iterationLine(1, 10)).toBe("Iteration 1 of 10, 9 remaining.");
    expect(iterationLine(10, 10)).toBe("Iteration 10 of 10, 0 remaining.");
    expect(iterationLine(3, null)).toBe("Iteration 3, no limit.");
  });

  it("show the tag with the expected text, as it is (R-10, R-52)", () => {
    expect(claimInstruction("response", "$& {{PROMPT}}")).toBe(
      "When everything is done and verified, and not before, output the line <response>$& {{PROMPT}}</response> on its own.",
    );
    expect(wrongPromiseNote("it's", "DONE")).toBe("Wrong promise 'it's', expected 'DONE'.");
  });
});
