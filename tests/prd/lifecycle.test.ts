import { expect, it } from "vitest";
import { chooseRole, isListComplete } from "../../src/core/prd/choose-role.ts";
import { repairTaskFile } from "../../src/core/prd/list/repair-task-file.ts";
import { settleAtCap } from "../../src/core/prd/settle-at-cap.ts";
import type { ReviewOptions, TaskFile } from "../../src/core/prd/list/task-file.ts";
import { story, type Story, taskFile } from "./sample-task-file.ts";

const options: ReviewOptions = { isReviewSkipped: false, reviewCap: 5, atCap: "approve" };
const verdict = (reviewCount: number, fields: Story): Story => ({ reviewCount, notes: "done", ...fields });

/** Plays turns as a runner does, on one story: each must be of the role it is written for, and legal. */
function play(turns: [role: string, fields: Story][], how: ReviewOptions): TaskFile {
  return turns.reduce(
    (file, [role, fields]) => {
      const choice = chooseRole(file, how);
      if (choice.kind !== "turn") throw new Error(`no turn is left for ${role}: ${choice.kind}`);
      expect(`${choice.role} ${choice.taskId}`).toBe(`${role} US-001`);
      expect(isListComplete(file, how)).toBe(false);
      const after = taskFile([story("US-001", fields)]);
      const { file: repaired, violations } = repairTaskFile(file, after, {
        ...how,
        role: choice.role,
        taskId: choice.taskId,
      });
      expect(violations).toEqual([]);
      return settleAtCap(repaired, how, { areChecksGreen: true }).file;
    },
    taskFile([story("US-001")]),
  );
}

const sentBack = { reviewStatus: "changes_requested", reviewFeedback: "name it" };
const done = { reviewStatus: "approved", passes: true };

it("goes from implement over review, review-fix and re-review to approval, counting each review (S4-77, S4-79)", () => {
  const file = play(
    [
      ["implement", verdict(0, { reviewStatus: "needs_review" })],
      ["review", verdict(1, sentBack)],
      ["review-fix", verdict(1, { reviewStatus: "needs_review" })],
      ["review", verdict(2, done)],
    ],
    options,
  );
  expect(file.tasks[0]).toMatchObject({ reviewCount: 2, passes: true, reviewStatus: "approved" });
  expect(chooseRole(file, options)).toEqual({ kind: "complete" });
});

it("ends with the first review when the cap is one and it still finds something (S4-76, R-103)", () => {
  const file = play(
    [
      ["implement", verdict(0, { reviewStatus: "needs_review" })],
      ["review", verdict(1, sentBack)],
    ],
    { ...options, reviewCap: 1 },
  );
  expect(file.tasks[0]).toMatchObject({
    reviewCount: 1,
    passes: true,
    reviewFeedback: "[AUTO-APPROVED AT CAP] name it",
  });
  expect(isListComplete(file, options)).toBe(true);
});

it("takes ten iterations at worst with a cap of five (S4-98)", () => {
  const rounds = [1, 2, 3, 4].flatMap((count): [string, Story][] => [
    ["review", verdict(count, sentBack)],
    ["review-fix", verdict(count, { reviewStatus: "needs_review" })],
  ]);
  const turns: [string, Story][] = [
    ["implement", verdict(0, { reviewStatus: "needs_review" })],
    ...rounds,
    ["review", verdict(5, sentBack)],
  ];
  expect(turns).toHaveLength(10);
  expect(chooseRole(play(turns, options), options)).toEqual({ kind: "complete" });
});

it("needs one iteration a story when reviews are skipped (S4-75)", () => {
  const how = { ...options, isReviewSkipped: true };
  expect(chooseRole(play([["implement", { passes: true, notes: "done" }]], how), how)).toEqual({ kind: "complete" });
});
