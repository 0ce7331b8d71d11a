import type { ReviewOptions } from "./list/task-file.ts";

/**
 * Whether a turn can end with an approved task, or with the list complete. With reviews only a review approves; a look at the list
 * without any turn has no role, and may find it complete.
 */
export function mayApprove(role: string, { isReviewSkipped }: Pick<ReviewOptions, "isReviewSkipped">): boolean {
  return isReviewSkipped || (role !== "implement" && role !== "review-fix");
}
