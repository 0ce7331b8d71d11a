import { describe, expect, it } from "vitest";
import { generationPrompt, repairPrompt, yamlOf } from "./generate-tasks.ts";

const order = { specification: "Build a shop.\n", existingIds: ["base"] };

describe("the prompt for tasks", () => {
  it("carries the guidance for outcome and criteria, the specification and the ids taken (S2-56)", () => {
    const prompt = generationPrompt(order);
    expect(prompt).toContain("outcome: one measurable sentence");
    expect(prompt).toContain("acceptance_criteria: a specific, verifiable list");
    expect(prompt).toContain("IMPORTANT: Tasks without completion criteria will fail during Ralph loop execution.");
    expect(prompt).toContain("Build a shop.");
    expect(prompt).toContain("): base\n");
  });

  it("names the problems and the former answer when it asks again", () => {
    const prompt = repairPrompt(order, "tasks: 7", "answer: must be an object");
    expect(prompt).toContain("answer: must be an object");
    expect(prompt).toContain("tasks: 7");
    expect(prompt).toContain("Build a shop.");
  });

  it.each([
    ["id: a", "id: a"],
    ["Here:\n```yaml\nid: a\n```\nDone.", "id: a\n"],
    ["```\nid: a\n```\n```yml\nid: b\n```", "id: a\n\n---\nid: b\n"],
    ['```json\n{"id": "a"}\n```', '{"id": "a"}\n'],
  ])("finds the YAML of an answer: %j", (answer, expected) => expect(yamlOf(answer)).toBe(expected));
});
