import { describe, expect, it } from "vitest";
import { approved, sentBack, story, type Story, submitted, taskFile } from "../../../tests/prd/sample-task-file.ts";
import { estimateIterations, reviewStatistics } from "./review-figures.ts";
import type { ReviewOptions } from "./list/task-file.ts";

const options: ReviewOptions = { isReviewSkipped: false, reviewCap: 5, atCap: "approve" };
const many = (count: number, fields: Story = {}) => Array.from({ length: count }, (_, at) => story(`S${at}`, fields));

describe("the estimated budget of iterations", () => {
  it.each<[string, Story[], ReviewOptions, number[], string]>([
    ["five new stories (S4-92)", many(5), options, [10, 15, 50], "5 stories x ~3 iterations each = ~15"],
    ["one story, worst at cap 5 (S4-98)", many(1), options, [2, 3, 10], "1 story x ~3 iterations each = ~3"],
    ["a cap of one", many(2), { ...options, reviewCap: 1 }, [4, 4, 4], "2 stories, ~4 iterations"],
    ["submitted work", many(1, submitted), options, [1, 2, 9], "1 story, ~2 iterations"],
    ["work sent back", many(1, sentBack), options, [2, 2, 8], "1 story, ~2 iterations"],
    ["done work", many(3, approved), options, [0, 0, 0], "0 stories x ~3 iterations each = ~0"],
    [
      "skipped reviews",
      many(4),
      { ...options, isReviewSkipped: true },
      [4, 4, 4],
      "4 stories x ~1 iterations each = ~4",
    ],
  ])("of %s", (...[, stories, how, [minimum, expected, worst], sentence]) =>
    expect(estimateIterations(taskFile(stories), how)).toMatchObject({ minimum, expected, worst, sentence }),
  );
});

describe("the figures of the reviews (S4-79, S4-99)", () => {
  it.each<[string, Story[], string]>([
    ["nothing reviewed", many(2), "Nothing was reviewed."],
    ["little overhead", many(2, approved), "Most stories passed their first review: the reviews cost little."],
    [
      "real issues",
      many(2, { ...approved, reviewCount: 4 }),
      "Reviews found real issues: 2 of 2 stories needed three reviews or more.",
    ],
    ["something between", many(2, { ...approved, reviewCount: 2 }), "Reviews sent 2 of 2 stories back."],
    [
      "the last review",
      [story("A", { ...approved, reviewCount: 5 }), story("B", { ...approved, reviewCount: 2 })],
      "Reviews found real issues: 1 of 2 stories needed three reviews or more. Approved only in the last review before the cap, look at it by hand: A.",
    ],
    [
      "the cap",
      [story("A", { ...approved, reviewFeedback: "[AUTO-APPROVED AT CAP] x" })],
      "Most stories passed their first review: the reviews cost little. Approved at the review cap with open feedback, look at it by hand: A.",
    ],
  ])("mean %s (S4-99)", (_, stories, sentence) =>
    expect(reviewStatistics(taskFile(stories), 5).sentence).toBe(sentence),
  );

  it("are counted by story", () => {
    const stories = [
      story("A", approved),
      story("B", { ...approved, reviewCount: 3 }),
      story("C", approved),
      story("D"),
    ];
    expect(reviewStatistics(taskFile(stories), null)).toMatchObject({
      reviewedTasks: 3,
      reviews: 5,
      tasksByReviews: { 1: 2, 3: 1 },
    });
  });
});
