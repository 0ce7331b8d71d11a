import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReviewRole } from "../prd/list/task-file.ts";
import { fillTaskFilePrompt, type TaskFilePromptValues } from "./task-file-prompt.ts";

const shipped = readFileSync(join(import.meta.dirname, "../../../templates/prompt.md"), "utf8");
const values: TaskFilePromptValues = {
  iteration: 3,
  iterationsMax: 15,
  role: "implement",
  taskId: "US-007",
  reviewCap: 4,
  isReviewSkipped: false,
  ralphDir: "ralph",
};
const promptOf = (role: ReviewRole, more: Partial<TaskFilePromptValues> = {}) =>
  fillTaskFilePrompt(shipped, { ...values, role, ...more });

describe("a prompt for a role", () => {
  it("keeps the blocks whose words all fit the turn", () => {
    const template =
      "a\n<!-- only: review -->\nb\n<!-- end -->\n<!-- only: implement with-review -->\nc\n<!-- end -->\nd {{X}}\n";
    expect(fillTaskFilePrompt(template, values)).toBe("a\nc\nd {{X}}\n");
    expect(fillTaskFilePrompt(template, { ...values, role: "review" })).toBe("a\nb\nd {{X}}\n");
    expect(fillTaskFilePrompt(template, { ...values, isReviewSkipped: true })).toBe("a\nd {{X}}\n");
  });

  it("takes a template without blocks as it is, and fills no value twice", () => {
    expect(fillTaskFilePrompt("{{TASK}} {{ROLE}}", { ...values, taskId: "{{ROLE}}" })).toBe("{{ROLE}} implement");
    expect(fillTaskFilePrompt("{{MAX_ITERATIONS}}", { ...values, iterationsMax: null })).toBe("any number");
  });

  it.each([
    ["Ralph Loop iteration $RALPH_ITERATION of $RALPH_MAX_ITERATIONS.", "Ralph Loop iteration 3 of 15."],
    ["${RALPH_ITERATION}/${RALPH_MAX_ITERATIONS}", "3/15"],
    [
      "$RALPH_ITERATIONS $RALPH_ITERATION_MAX {RALPH_ITERATION}",
      "$RALPH_ITERATIONS $RALPH_ITERATION_MAX {RALPH_ITERATION}",
    ],
  ])("fills iteration and limit where they are written as variables (S4-10): %s", (template, expected) => {
    expect(fillTaskFilePrompt(template, values)).toBe(expected);
    expect(fillTaskFilePrompt("{{TASK}}", { ...values, taskId: template })).toBe(template);
  });
});

describe("the shipped prompt", () => {
  it.each<ReviewRole>(["implement", "review", "review-fix"])("is whole in %s (S4-10, S4-63, S4-64)", (role) => {
    const prompt = promptOf(role);
    expect(prompt.split("\n")[0]).toBe("# Ralph: iteration 3 of 15");
    expect(prompt).not.toMatch(/\{\{|<!--|\n{3}/);
    expect(prompt.match(/^## .*$/gm)).toEqual([
      "## 1. Orient",
      "## 2. Select the story and determine the mode",
      { implement: "## 3. Implement", review: "## 3. Review", "review-fix": "## 3. Fix what the review found" }[role],
      "## 4. Document progress",
      `## [date] - US-007 (${role})`,
      "## 5. Consider memory updates",
      "## 6. Commit and signal",
      "## Hard rules",
    ]);
    for (const words of [
      "ralph/progress.txt",
      "ralph/prd.md",
      "ralph/tasks.json",
      "git log",
      "git status",
      "Codebase Patterns",
    ])
      expect(prompt).toContain(words);
  });

  it("orders fixes before reviews before new work (S4-65, S4-66)", () => {
    const prompt = promptOf("implement");
    const places = ["**review-fix** that story", "**review** that story", "**implement** the story"].map((words) =>
      prompt.indexOf(words),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
    expect(prompt).toContain("60 % of your context");
    expect(prompt).toContain('"splitFrom": "US-007"');
  });

  it("tells an implementer to verify, to look again and to submit, never to pass (S4-67)", () => {
    const prompt = promptOf("implement");
    for (const words of [
      'Follow the patterns in "Codebase Patterns"',
      "within the constraints of `ralph/prd.md`",
      "`verifyCommands`",
      "every changed line of `git diff`",
      "TODOs that were left",
      "run `verifyCommands` again",
      '`reviewStatus` to `"needs_review"`',
      "Leave `passes` at `false`",
    ])
      expect(prompt).toContain(words);
  });

  it("tells a reviewer to count, verify and decide with the cap, never to fix (S4-68, S4-69, S4-76)", () => {
    const prompt = promptOf("review");
    for (const words of [
      "`reviewCount` by exactly one",
      "you did not write this code",
      "`git log --oneline -5`",
      "For each criterion by itself",
      "edge cases and error paths",
      "below 4",
      "has reached 4",
      "`[AUTO-APPROVED AT CAP]`",
      "they do not fix",
    ])
      expect(prompt).toContain(words);
  });

  it("tells who fixes to address everything and to go back to review (S4-70)", () => {
    const prompt = promptOf("review-fix");
    for (const words of [
      "Address **all**",
      "every changed line of `git diff`",
      '`reviewFeedback` to `""`',
      '`reviewStatus` to `"needs_review"`',
    ])
      expect(prompt).toContain(words);
  });

  it("asks for progress, lasting notes and the commit messages (S4-71, S4-72, S4-96)", () => {
    const prompt = promptOf("review");
    for (const words of [
      "- Files changed",
      "- Learnings",
      "tests need the local database",
      "feat: [US-007] - [Title]",
      "review: [US-007] - approved",
      "review: [US-007] - changes requested",
      "fix: [US-007] - address review feedback",
    ])
      expect(prompt).toContain(words);
  });

  it("lets the end be said only when every story is approved (S4-73, S4-78, S4-97)", () => {
    expect(promptOf("review")).toMatch(
      /\*\*every\*\* story is approved and has `passes: true`[^]*\n<promise>COMPLETE<\/promise>\n/,
    );
    expect(promptOf("review").match(/<promise>COMPLETE/g)).toHaveLength(1);
  });

  it("has the hard rules (S4-74, S4-83)", () => {
    const rules = promptOf("implement").split("## Hard rules")[1] ?? "";
    for (const words of [
      "One story per iteration. Never start a second one.",
      "only a review does, and only when it approves",
      "never sets `passes`",
      "Never weaken",
      "split",
      "prd.md` is read-only",
      "A review fixes nothing",
      "addresses all items",
      "blocker",
    ])
      expect(rules).toContain(words);
  });

  it("only implements when reviews are skipped (S4-75)", () => {
    const prompt = promptOf("implement", { isReviewSkipped: true });
    expect(prompt).toContain("set the story's `passes` to `true`. Leave `reviewStatus` at\n   `null`");
    expect(prompt).not.toContain('`reviewStatus` to `"needs_review"`');
    expect(prompt).toContain("**every** story has `passes: true`");
  });
});
