import {
  capPrefix,
  type ListedTask,
  type ReviewOptions,
  taskChanges,
  type TaskFile,
  withTasks,
} from "./list/task-file.ts";

/** What happened to the tasks that were sent back without a review left. */
export type CapSettlement = { file: TaskFile; approved: string[]; held: { id: string; feedback: string }[] };

/** Tasks sent back at the cap: no review is left, so the run must decide. */
export function findRefusedAtCap(file: TaskFile, { isReviewSkipped, reviewCap }: ReviewOptions): ListedTask[] {
  if (isReviewSkipped) return [];
  return file.tasks.filter((task) => task.reviewStatus === "changes_requested" && task.reviewCount >= reviewCap);
}

/**
 * Ends the reviews of tasks that were refused at the cap (CW-4I, R-103): approved with their feedback kept behind the
 * prefix, or held for a person. Red checks always hold a task: a cap is not evidence.
 */
export function settleAtCap(
  file: TaskFile,
  options: ReviewOptions,
  { areChecksGreen }: { areChecksGreen: boolean },
): CapSettlement {
  const refused = findRefusedAtCap(file, options);
  if (refused.length === 0) return { file, approved: [], held: [] };
  if (options.atCap === "hold" || !areChecksGreen)
    return { file, approved: [], held: refused.map(({ id, reviewFeedback }) => ({ id, feedback: reviewFeedback })) };
  const changes = taskChanges(file).map(({ task, raw }) => ({
    task: refused.includes(task) ? approve(task) : task,
    raw,
  }));
  return { file: withTasks(file, changes), approved: refused.map(({ id }) => id), held: [] };
}

/** Tasks that were approved with open feedback because the cap was reached; the end of a run names them. */
export function findApprovedAtCap(file: TaskFile): string[] {
  return file.tasks
    .filter(({ reviewStatus, reviewFeedback }) => reviewStatus === "approved" && reviewFeedback.startsWith(capPrefix))
    .map(({ id }) => id);
}

function approve(task: ListedTask): ListedTask {
  const { reviewFeedback, notes, reviewCount } = task;
  return {
    ...task,
    passes: true,
    reviewStatus: "approved",
    reviewFeedback: reviewFeedback.startsWith(capPrefix) ? reviewFeedback : `${capPrefix} ${reviewFeedback}`,
    notes: notes.trim() === "" ? `Approved at the review cap after ${reviewCount} reviews.` : notes,
  };
}
