import { birth } from "./task-file-rules.ts";
import { type ListedTask, taskChanges, type TaskFile, withTasks } from "./task-file.ts";

/** The file without what a turn said about some tasks, and which those were. */
export type Refusal = { file: TaskFile; refused: ListedTask[] };

/** Takes back every approval of a turn: it was given without the evidence it needs. All else stays. */
export function refuseApprovals(before: TaskFile, after: TaskFile): Refusal {
  return refuse(before, after, (known, task) => task.passes && known?.passes !== true);
}

/** Takes back all that a turn said in the review fields: it was no review. */
export function refuseVerdicts(before: TaskFile, after: TaskFile): Refusal {
  return refuse(before, after, (known, task) => known !== undefined && isOther(known, task));
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
