import { findDependencyFaults, isReady } from "./list/dependencies.ts";
import { findRefusedAtCap } from "./settle-at-cap.ts";
import { type ListedTask, type ReviewOptions, type ReviewRole, shownCap, type TaskFile } from "./list/task-file.ts";

/** The next turn, or why none can follow. */
export type RoleChoice =
  | { kind: "turn"; role: ReviewRole; taskId: string }
  | { kind: "complete" }
  /** These are not approved and have no review left: a person must decide. */
  | { kind: "held"; taskIds: string[]; reason: string }
  /** Tasks are open and none can ever start. */
  | { kind: "stuck"; reason: string };

/**
 * The next turn's role and task, the same for the same file: fixes before reviews before new work (S4-13), and within
 * a role the highest priority, then the order of the file. Skipped reviews leave only `implement` (CW-4F).
 */
export function chooseRole(file: TaskFile, options: ReviewOptions): RoleChoice {
  if (isListComplete(file, options)) return { kind: "complete" };
  if (file.tasks.length === 0) return { kind: "stuck", reason: "The task file has no stories." };
  const held = findHeld(file, options);
  if (held.length > 0) return heldChoice(held, options);
  const candidates: [ReviewRole, ListedTask[]][] = options.isReviewSkipped
    ? [["implement", file.tasks.filter((task) => !task.passes && isReady(file, task))]]
    : [
        ["review-fix", file.tasks.filter(({ reviewStatus }) => reviewStatus === "changes_requested")],
        ["review", file.tasks.filter(({ reviewStatus }) => reviewStatus === "needs_review")],
        ["implement", file.tasks.filter((task) => isImplementable(task) && isReady(file, task))],
      ];
  for (const [role, tasks] of candidates) {
    const [first] = tasks.toSorted((one, other) => one.priority - other.priority);
    if (first !== undefined) return { kind: "turn", role, taskId: first.id };
  }
  return { kind: "stuck", reason: stuckReason(file) };
}

/** Whether everything is done. An empty list is never done (CW-4A). */
export function isListComplete(file: TaskFile, { isReviewSkipped }: Pick<ReviewOptions, "isReviewSkipped">): boolean {
  const isDone = (task: ListedTask): boolean => task.passes && (isReviewSkipped || task.reviewStatus === "approved");
  return file.tasks.length > 0 && file.tasks.every(isDone);
}

function isImplementable({ passes, reviewStatus }: ListedTask): boolean {
  return !passes && reviewStatus === null;
}

/** Sent back at the cap, or waiting for a review beyond the last allowed one. */
function findHeld(file: TaskFile, options: ReviewOptions): ListedTask[] {
  if (options.isReviewSkipped) return [];
  const isOverdue = ({ reviewStatus, reviewCount }: ListedTask): boolean =>
    reviewStatus === "needs_review" && reviewCount > options.reviewCap;
  return [...findRefusedAtCap(file, options), ...file.tasks.filter(isOverdue)];
}

function heldChoice(held: readonly ListedTask[], options: ReviewOptions): RoleChoice {
  const taskIds = held.map(({ id }) => id);
  const reason =
    taskIds.length === 1
      ? `Story ${taskIds[0] ?? ""} is held at the review cap of ${shownCap(options)}.`
      : `Stories ${taskIds.join(", ")} are held at the review cap of ${shownCap(options)}.`;
  return { kind: "held", taskIds, reason };
}

function stuckReason(file: TaskFile): string {
  const faults = findDependencyFaults(file);
  if (faults.length > 0) return `No story can be begun. ${faults.join(" ")}`;
  const open = file.tasks.filter(({ passes }) => !passes).map(({ id }) => id);
  return `No story can be begun, though ${open.length === 0 ? "some are not approved" : `${open.join(", ")} are open`}.`;
}
