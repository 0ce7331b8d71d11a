import { describe, expect, it } from "vitest";
import { noSpend } from "../../agents/spend.ts";
import { contractGatesProblem, gateAnswerProblem } from "./gate-answer-shape.ts";

describe("what a program's gate says", () => {
  const answer = { verdicts: [], isCut: false, spend: noSpend, stop: null, slot: null, word: null };

  it.each<[string, unknown, string | null]>([
    ["a whole answer", answer, null],
    ["an end of the run", { ...answer, stop: { name: "stopped", reason: "enough" } }, null],
    ["no answer", undefined, "it is not an object"],
    ["a word", "green", "it is not an object"],
    ["no verdicts", { ...answer, verdicts: undefined }, "verdicts is not a list"],
    ["a verdict that is empty", { ...answer, verdicts: [{}] }, "verdicts[0].index is not a whole number of at least 0"],
    ["an end that is a word", { ...answer, stop: "stopped" }, "stop is not an object"],
    ["a memory that is not JSON", { ...answer, slot: undefined }, "slot is not plain JSON"],
  ])("is judged by its shape: %s", (_, value, problem) => {
    expect(gateAnswerProblem(value)).toBe(problem);
  });

  it("names the gate of a list that is malformed", () => {
    expect(contractGatesProblem([])).toBeNull();
    expect(contractGatesProblem("x")).toBe("it is not a list");
    expect(contractGatesProblem([{ id: 7 }])).toBe("[0].id is not a text");
  });
});
