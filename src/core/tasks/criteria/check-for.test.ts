import { expect, it } from "vitest";
import { expandCheckFor } from "./check-for.ts";

it("puts the acceptance criteria in the placeholder's place and leaves other texts whole (S2-40, CW-2H)", () => {
  expect(expandCheckFor(["{{acceptance_criteria}}", "and this"], ["a", "b"])).toEqual(["a", "b", "and this"]);
  expect(expandCheckFor(["see {{acceptance_criteria}}"], ["a"])).toEqual(["see {{acceptance_criteria}}"]);
});
