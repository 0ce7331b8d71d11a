import { birth } from "./list/task-file-rules.ts";
import { type ListedTask, taskChanges, type TaskFile, withTasks } from "./list/task-file.ts";

/** The file without a turn's verdicts on some tasks, and the ids of those tasks. */
export type Refusal = { file: TaskFile; refused: ListedTask[] };

/** Undoes every approval of a turn that lacks the required evidence. Everything else stays. */
export function refuseApprovals(before: TaskFile, after: TaskFile): Refusal {
  return refuse(before, after, (known, task) => task.passes && known?.passes !== true);
}

/** Undoes all changes of a turn in the review fields: it did not count as a review. */
export function refuseVerdicts(before: TaskFile, after: TaskFile): Refusal {
  return refuse(before, after, (known, task) => known !== undefined && isOther(known, task));
}

/** The lists of a review turn: before it, as the agent left it, and after everything illegal was undone. */
export type ReviewLists = { before: TaskFile; after: TaskFile; settled: TaskFile };

/**
 * Counts a review whose verdict is refused: otherwise a reviewer could try without limit below the cap. One review per
 * turn; a review without any change does not count. `taskId` is the turn's own task, counted when the review as a whole was
 * refused.
 */
export function countRefusedReview(lists: ReviewLists, taskId: string | null, isRefused: boolean): Refusal {
  const { before, after, settled } = lists;
  const open = before.tasks.filter(({ reviewStatus }) => reviewStatus === "needs_review");
  const isChangedIn = (file: TaskFile, known: ListedTask): boolean => {
    const task = file.tasks.find(({ id }) => id === known.id);
    return task !== undefined && isOther(known, task);
  };
  if (open.some((known) => isChangedIn(settled, known))) return { file: settled, refused: [] };
  const tried = open.filter((known) => isChangedIn(after, known) || (isRefused && known.id === taskId));
  const counted = tried.find(({ id }) => id === taskId) ?? tried[0];
  if (counted === undefined) return { file: settled, refused: [] };
  const changes = taskChanges(settled).map(({ task, raw }) =>
    task.id === counted.id ? { task: { ...task, reviewCount: counted.reviewCount + 1 }, raw } : { task, raw },
  );
  const file = withTasks(settled, changes);
  return { file, refused: file.tasks.filter(({ id }) => id === counted.id) };
}

type Rule = (known: ListedTask | undefined, task: ListedTask) => boolean;

function refuse(before: TaskFile, after: TaskFile, isRefused: Rule): Refusal {
  const former = new Map(before.tasks.map((task) => [task.id, task]));
  const refused = after.tasks.filter((task) => isRefused(former.get(task.id), task));
  if (refused.length === 0) return { file: after, refused };
  const changes = taskChanges(after).map(({ task, raw }) => {
    if (!refused.includes(task)) return { task, raw };
    const { passes, reviewStatus, reviewCount, reviewFeedback } = former.get(task.id) ?? {
      ...birth,
      reviewFeedback: "",
    };
    return { task: { ...task, passes, reviewStatus, reviewCount, reviewFeedback }, raw };
  });
  return { file: withTasks(after, changes), refused };
}

function isOther(known: ListedTask, task: ListedTask): boolean {
  return (
    known.passes !== task.passes ||
    known.reviewStatus !== task.reviewStatus ||
    known.reviewCount !== task.reviewCount ||
    known.reviewFeedback !== task.reviewFeedback
  );
}
