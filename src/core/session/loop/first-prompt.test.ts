import { describe, expect, it } from "vitest";
import { firstPrompt, withInstruction } from "./first-prompt.ts";

const loop = {
  active: true,
  iteration: 1,
  maxIterations: 5,
  completionPromise: "READY",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it",
  sessionId: "s1",
};

describe("the first prompt of a loop", () => {
  it("holds the task and tells the agent how to claim (S0-40)", () => {
    const text = firstPrompt(loop);
    expect(text).toContain("iteration 1 of 5");
    expect(text).toContain("Task:\nFix it");
    expect(text).toContain("<promise>READY</promise>");
    expect(firstPrompt({ ...loop, prompt: "x".repeat(9000) })).toContain("Work on the task of the command above.");
  });

  it("gets the instruction once, and only in a loop (S0-40)", () => {
    expect(withInstruction("Fix it", "READY")).toMatch(/^Fix it\n\n[^]*<promise>READY<\/promise>/);
    expect(withInstruction("Say <promise>READY</promise>", "READY")).toBe("Say <promise>READY</promise>");
    expect(withInstruction("Fix it", null)).toBe("Fix it");
  });
});
