import { expect, it } from "vitest";
import { agentPrograms } from "./agent-programs.ts";
import { isHarness } from "./foreign-kill.ts";

it("names every agent once, and each of them belongs to the harness (R-121)", () => {
  expect(new Set(agentPrograms).size).toBe(agentPrograms.length);
  expect(agentPrograms.filter((program) => !isHarness(program))).toEqual([]);
});
