import { expect, it } from "vitest";
import { deriveAgainPrompt, derivePrompt } from "./derive-prompt.ts";

const planning = "# Plan\n\n## Mode 1\n\nAsk.\n\n## Derive the stories\n\n- One rule.\n\n## Afterwards\n\nBye.\n";

it("asks for JSON with the rules of the planning text and the whole PRD (S4-86, S4-87)", () => {
  const prompt = derivePrompt({ planning, prd: "# PRD\n\nA shop.\n", project: "shop" });
  expect(prompt).toContain("# Rules\n\n- One rule.\n\n# The PRD\n\n# PRD\n\nA shop.");
  expect(prompt).not.toMatch(/Ask\.|Bye\./);
});

it("names what was wrong with the last answer, twenty problems at most", () => {
  const again = deriveAgainPrompt(
    "Derive.",
    Array.from({ length: 30 }, (_, at) => `problem ${at}`),
  );
  expect(again).toMatch(/^Derive\.\n\n# Your last answer could not be used\n\n- problem 0\n/);
  expect(again.match(/- problem/g)).toHaveLength(20);
});
