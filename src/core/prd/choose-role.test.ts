import { describe, expect, it } from "vitest";
import { approved, sentBack, story, type Story, submitted, taskFile } from "../../../tests/prd/sample-task-file.ts";
import { chooseRole, isListComplete } from "./choose-role.ts";
import type { ReviewOptions } from "./list/task-file.ts";

const options: ReviewOptions = { isReviewSkipped: false, reviewCap: 2, atCap: "hold" };
const skipping = { ...options, isReviewSkipped: true };

/** `role id`, or the kind of choice with its reason. */
function check(stories: Story[], expected: string, more: ReviewOptions = options): void {
  const choice = chooseRole(taskFile(stories), more);
  const words = choice.kind === "turn" ? `${choice.role} ${choice.taskId}` : choice.kind;
  expect("reason" in choice ? `${words}: ${choice.reason}` : words).toBe(expected);
}

describe("the next turn", () => {
  it.each<[string, Story[], string]>([
    ["fixes first (S4-13, S4-65)", [story("A"), story("B", submitted), story("C", sentBack)], "review-fix C"],
    ["then reviews (S4-13, S4-65)", [story("A"), story("B", submitted)], "review B"],
    ["then implements (S4-13)", [story("A", approved), story("B")], "implement B"],
    ["takes the highest priority (S4-66)", [story("A", { priority: 2 }), story("B", { priority: 1 })], "implement B"],
    ["then the order of the file (S4-66)", [story("A"), story("B")], "implement A"],
    ["takes priorities in reviews too", [story("A", { ...submitted, priority: 3 }), story("B", submitted)], "review B"],
    ["waits for dependencies (S4-66)", [story("A", { dependsOn: ["B"] }), story("B", { priority: 9 })], "implement B"],
    ["goes on when they are done (S4-66)", [story("A", { dependsOn: ["B"] }), story("B", approved)], "implement A"],
    [
      "waits for all parts of a split one",
      [
        story("A", { dependsOn: ["B"] }),
        story("B1", { splitFrom: "B", priority: 5 }),
        story("B2", { ...approved, splitFrom: "B" }),
      ],
      "implement B1",
    ],
    ["ends when all are approved (S4-15)", [story("A", approved)], "complete"],
    ["finds nothing in an empty list (CW-4A)", [], "stuck: The task file has no stories."],
    [
      "names a missing story (CW-4G, R-104)",
      [story("A", { dependsOn: ["X"] })],
      "stuck: No story can be begun. Story A depends on X, which does not exist.",
    ],
    [
      "names a story that waits for itself (R-104)",
      [story("A", { dependsOn: ["A"] })],
      "stuck: No story can be begun. Story A depends on itself.",
    ],
    [
      "names a circle (CW-4G, R-104)",
      [story("A", { dependsOn: ["B"] }), story("B", { dependsOn: ["C"] }), story("C", { dependsOn: ["A"] })],
      "stuck: No story can be begun. Stories depend on each other in a circle: A → B → C → A.",
    ],
    [
      "holds what was refused at the cap (CW-4I)",
      [story("A"), story("B", { ...sentBack, reviewCount: 2 })],
      "held: Story B is held at the review cap of 2.",
    ],
    [
      "holds what no review is left for",
      [story("B", { ...submitted, reviewCount: 3 })],
      "held: Story B is held at the review cap of 2.",
    ],
    ["reviews once more at the cap", [story("B", { ...submitted, reviewCount: 2 })], "review B"],
  ])("%s", (_, stories, expected) => check(stories, expected));

  it.each<[string, Story[], string]>([
    ["implements what waits for a review (CW-4F, R-109)", [story("A", submitted)], "implement A"],
    ["implements what was sent back (CW-4F, R-109)", [story("A", { ...sentBack, reviewCount: 2 })], "implement A"],
    ["is over when all pass (S4-21)", [story("A", { passes: true, notes: "x" })], "complete"],
  ])("%s when reviews are skipped", (_, stories, expected) => check(stories, expected, skipping));
});

describe("a complete list", () => {
  it("needs every story passing and approved (S4-15, S4-78, R-105)", () => {
    const open = taskFile([story("A", approved), story("B")]);
    expect(isListComplete(open, options)).toBe(false);
    expect(isListComplete(taskFile([story("A", approved)]), options)).toBe(true);
    expect(isListComplete(taskFile([story("A", { passes: true, notes: "x" })]), options)).toBe(false);
    expect(isListComplete(taskFile([story("A", { passes: true, notes: "x" })]), skipping)).toBe(true);
  });
});
