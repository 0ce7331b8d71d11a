import { findApprovedAtCap } from "./settle-at-cap.ts";
import type { ListedTask, ReviewOptions, TaskFile } from "./list/task-file.ts";

/** How many iterations the open tasks will take. */
export type IterationEstimate = {
  openTasks: number;
  /** No review finds anything. */
  minimum: number;
  expected: number;
  /** Every review finds issues, up to the cap. */
  worst: number;
  sentence: string;
};

/** The budget of iterations, from experience and from the rules (S4-92, S4-98). */
export function estimateIterations(file: TaskFile, options: ReviewOptions): IterationEstimate {
  const open = file.tasks.filter((task) => !isDone(task, options));
  const bounds = open.map((task) => boundsOf(task, options));
  const expected = bounds.reduce((sum, bound) => sum + bound.expected, 0);
  const each = options.isReviewSkipped ? 1 : expectedPerTask;
  const isEven = bounds.every((bound) => bound.expected === each);
  const stories = open.length === 1 ? "1 story" : `${open.length} stories`;
  return {
    openTasks: open.length,
    minimum: bounds.reduce((sum, bound) => sum + bound.minimum, 0),
    expected,
    worst: bounds.reduce((sum, bound) => sum + bound.worst, 0),
    sentence: isEven ? `${stories} x ~${each} iterations each = ~${expected}` : `${stories}, ~${expected} iterations`,
  };
}

/** Figures about the reviews, for the end of a run and the archive (S4-79, S4-99). */
export type ReviewStatistics = {
  reviewedTasks: number;
  reviews: number;
  /** Number of reviews, and how many tasks had that number. */
  tasksByReviews: Record<number, number>;
  approvedAtCap: string[];
  /** Tasks whose last possible review had nothing open; empty where nobody knows the cap. */
  reachedCap: string[];
  sentence: string;
};

/** Counts the reviews of a file and explains the numbers. A null cap: it is not known any more. */
export function reviewStatistics(file: TaskFile, reviewCap: number | null): ReviewStatistics {
  const reviewed = file.tasks.filter(({ reviewCount }) => reviewCount > 0);
  const reviews = reviewed.reduce((sum, { reviewCount }) => sum + reviewCount, 0);
  const tasksByReviews: Record<number, number> = {};
  for (const { reviewCount } of reviewed) tasksByReviews[reviewCount] = (tasksByReviews[reviewCount] ?? 0) + 1;
  const approvedAtCap = findApprovedAtCap(file);
  const isAtCap = ({ id, reviewCount }: ListedTask): boolean =>
    reviewCap !== null && reviewCount >= reviewCap && reviewCount > 1 && !approvedAtCap.includes(id);
  const reachedCap = reviewed.filter(isAtCap).map(({ id }) => id);
  const figures = { reviewedTasks: reviewed.length, reviews, tasksByReviews, approvedAtCap, reachedCap };
  return { ...figures, sentence: meaningOf(figures) };
}

/** The estimate (S4-92): one implementation, one review, and for every second task a fix with its review. */
const expectedPerTask = 3;

type Bounds = { minimum: number; expected: number; worst: number };

function boundsOf({ reviewStatus, reviewCount }: ListedTask, { isReviewSkipped, reviewCap }: ReviewOptions): Bounds {
  if (isReviewSkipped) return { minimum: 1, expected: 1, worst: 1 };
  // No fix follows the last review.
  const reviewsLeft = Math.max(1, reviewCap - reviewCount);
  if (reviewStatus === "needs_review") {
    const worst = 2 * reviewsLeft - 1;
    return { minimum: 1, expected: Math.min(2, worst), worst };
  }
  const worst = 2 * reviewsLeft;
  const expected = reviewStatus === "changes_requested" ? 2 : expectedPerTask;
  return { minimum: 2, expected: Math.min(expected, worst), worst };
}

/** Whether a story is done: it passes, and unless reviews are skipped a review approved it. */
export function isDone(
  { passes, reviewStatus }: ListedTask,
  { isReviewSkipped }: Pick<ReviewOptions, "isReviewSkipped">,
): boolean {
  return passes && (isReviewSkipped || reviewStatus === "approved");
}

/** What the numbers say about the reviews, and which stories a person should look at (S4-99). */
function meaningOf({ reviewedTasks, tasksByReviews, approvedAtCap, reachedCap }: Omit<ReviewStatistics, "sentence">) {
  if (reviewedTasks === 0) return "Nothing was reviewed.";
  const lookAt = (words: string, ids: readonly string[]): string[] =>
    ids.length === 0 ? [] : [`${words}, look at ${ids.length === 1 ? "it" : "these"} by hand: ${ids.join(", ")}.`];
  return [
    valueOf(reviewedTasks, tasksByReviews),
    ...lookAt("Approved at the review cap with open feedback", approvedAtCap),
    ...lookAt("Approved only in the last review before the cap", reachedCap),
  ].join(" ");
}

function valueOf(reviewedTasks: number, tasksByReviews: Readonly<Record<number, number>>): string {
  const once = tasksByReviews[1] ?? 0;
  if (once * 2 > reviewedTasks) return "Most stories passed their first review: the reviews cost little.";
  const often = reviewedTasks - once - (tasksByReviews[2] ?? 0);
  return often * 2 >= reviewedTasks
    ? `Reviews found real issues: ${often} of ${reviewedTasks} stories needed three reviews or more.`
    : `Reviews sent ${reviewedTasks - once} of ${reviewedTasks} stories back.`;
}
