import { describe, expect, it } from "vitest";
import {
  buildContinuationPrompt,
  continuationHeading,
  continuationPrompt,
  continuationTemplate,
} from "./continuation-prompt.ts";

const loop = {
  active: true,
  iteration: 2,
  maxIterations: 5,
  completionPromise: "DONE",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it",
  sessionId: "s1",
};

describe("buildContinuationPrompt", () => {
  it("is the text of the document, with its two trailing spaces (S0-20, S0-21)", () =>
    expect(buildContinuationPrompt(continuationTemplate, loop)).toBe(
      [
        "[RALPH LOOP - ITERATION 2/5]",
        "",
        "Your previous attempt did not output the completion promise. Continue working on the task.",
        "",
        "IMPORTANT:",
        "- Review your progress so far",
        "- Continue from where you left off  ",
        "- When FULLY complete, output: <promise>DONE</promise>",
        "- Do not stop until the task is truly done",
        "",
        "Original task:",
        "Fix it",
      ].join("\n"),
    ));

  it.each(["cost $& $` $' $$ $1", "{{PROMISE}} {{ITERATION}}", "line\nline"])(
    "puts the prompt %j in as it is (CW-0C, R-52)",
    (prompt) => expect(buildContinuationPrompt("<{{PROMPT}}>", { ...loop, prompt })).toBe(`<${prompt}>`),
  );

  it("fills every occurrence, and a promise that looks like a placeholder swallows nothing (CW-0C, R-52)", () =>
    expect(
      buildContinuationPrompt("{{PROMISE}} {{PROMPT}} {{PROMISE}} {{MAX}}", {
        ...loop,
        completionPromise: "{{PROMPT}}",
      }),
    ).toBe("{{PROMPT}} Fix it {{PROMPT}} 5"));
});

describe("continuationPrompt", () => {
  it("is the plain text without a reason, and ends with the reasons there are (CW-0C)", () => {
    const plain = continuationPrompt(loop, 3, []);
    expect(plain.split("\n")[0]).toBe("[RALPH LOOP - ITERATION 3/5]");
    const refused = continuationPrompt(loop, 3, [
      { kind: "reason", name: "npm test", reason: "it failed", output: { text: "1 failed" } },
      { kind: "mentioned" },
    ]);
    expect(refused).toMatch(/Original task:\nFix it\n\n[^]*it failed[^]*1 failed[^]*\n\nThe completion tag/);
  });

  it("says that a promise was refused only where one was", () => {
    const reason = { kind: "reason" as const, name: "npm test", reason: "it failed", output: { text: "" } };
    for (const feedback of [reason, { kind: "unchanged" as const }]) {
      const refused = continuationPrompt(loop, 3, [feedback]);
      expect(refused).toContain("You output the completion promise, and it was refused for the reasons below.");
      expect(refused).not.toContain("did not output");
    }
    for (const feedback of [[], [{ kind: "mentioned" as const }]])
      expect(continuationPrompt(loop, 3, feedback)).toContain("Your previous attempt did not output the completion");
  });
});

describe("continuationHeading", () => {
  it("begins every continuation; the first iteration has none", () => {
    expect(continuationHeading(loop, 1)).toBeNull();
    expect(continuationPrompt(loop, 4, []).startsWith(continuationHeading(loop, 4) ?? "none")).toBe(true);
  });
});
