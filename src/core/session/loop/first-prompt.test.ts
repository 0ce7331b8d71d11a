import { describe, expect, it } from "vitest";
import { firstPrompt, keptPrompt, withInstruction } from "./first-prompt.ts";

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

  it("says that the agent is sent back only while iterations are left (S0-40)", () => {
    const back = "you are sent back to the task";
    expect(firstPrompt(loop)).toContain(back);
    expect(keptPrompt({ ...loop, iteration: 4 })).toContain(back);
    expect(firstPrompt({ ...loop, maxIterations: 1 })).not.toContain(back);
    expect(keptPrompt({ ...loop, iteration: 5 })).toContain("at iteration 5 of 5. No further iteration follows.");
  });

  it("gets the instruction once, and only in a loop (S0-40)", () => {
    expect(withInstruction("Fix it", "READY")).toMatch(/^Fix it\n\n[^]*<promise>READY<\/promise>/);
    expect(withInstruction("Say <promise>READY</promise>", "READY")).toBe("Say <promise>READY</promise>");
    expect(withInstruction("Fix it", null)).toBe("Fix it");
  });
});
