import { describe, expect, it } from "vitest";
import { rolePrompt, type RolePromptParts } from "./role-prompt.ts";

const parts: RolePromptParts = {
  task: { id: "auth-001", title: "Sign in", description: "Add a login.\n", reasons: [] },
  criterion: {
    role: "coder",
    outcome: "People can sign in.",
    acceptanceCriteria: ["Right credentials: 200", "Wrong ones: 401"],
    criterion: {
      promise: "AUTH_IMPLEMENTED",
      description: "Login works.",
      maxIterations: null,
      verification: { method: "string_match", promise: null, isLoose: false },
    },
  },
  iteration: 2,
  iterationsMax: 15,
  attempts: [],
};

describe("a role's prompt", () => {
  it("ends with the document's section, word for word (S2-47, S2-48)", () =>
    expect(rolePrompt(parts)).toBe(`# Task auth-001: Sign in

Add a login.

You are the coder: change the code in this directory until the outcome below holds.

If nobody but a person can help, output the line <promise>BLOCKED: what you need</promise> on its own.

## Ralph Loop Status
- **Iteration**: 2/15
- **Agent**: coder

## Task Outcome (What "Done" Means)
People can sign in.

## Acceptance Criteria
- [ ] Right credentials: 200
- [ ] Wrong ones: 401

## Your Completion Requirements

Only when this stage is GENUINELY complete:

**Success Criteria for coder:**
Login works.

**To signal completion, output:**
\`\`\`
<promise>AUTH_IMPLEMENTED</promise>
\`\`\`

**CRITICAL:**
- Only output the promise when ALL acceptance criteria are truly met
- Your completion will be verified using: string_match
- False promises will be detected and the loop will continue
- If blocked, explain what's preventing completion

The loop will continue until genuine completion or iteration 15.`));

  it("promises no further iteration to a role that has only one (S2-08, S2-48)", () => {
    const prompt = rolePrompt({ ...parts, iteration: 1, iterationsMax: 1 });
    expect(prompt).not.toContain("will continue");
    expect(prompt).toContain("- False promises will be detected, and no further iteration follows\n");
    expect(prompt).toMatch(
      /\n\nThis is the only iteration: a completion that is not genuine ends the stage unfinished\.$/,
    );
  });

  it("tells a later role how to send the work back, and a coder not (CB-16)", () => {
    const reviewer = rolePrompt({ ...parts, criterion: { ...parts.criterion, role: "reviewer" } });
    expect(reviewer).toContain("<promise>REJECT: what is wrong and where</promise>");
    expect(rolePrompt(parts)).not.toContain("REJECT");
  });

  it("names the last attempts and why the task was sent back (CW-2M, R-71)", () => {
    const prompt = rolePrompt({
      ...parts,
      task: { ...parts.task, reasons: [{ role: "qa", round: 1, text: "The page is blank" }] },
      attempts: [
        { iteration: 1, isClaimed: false, isVerified: false, reason: "No completion promise found" },
        { iteration: 2, isClaimed: true, isVerified: false, reason: "Output doesn't contain: passed" },
      ],
    });
    expect(prompt).toContain("## Why It Was Sent Back\n- Round 1, qa: The page is blank\n\n");
    expect(prompt).toContain(
      "## Previous Verification Attempts\n" +
        "- Iteration 1: not claimed: No completion promise found\n" +
        "- Iteration 2: claimed, not verified: Output doesn't contain: passed\n\n## Ralph Loop Status",
    );
  });
});
