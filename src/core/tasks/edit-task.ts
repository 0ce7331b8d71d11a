import type { Task, TaskDefinition, TaskStanding } from "./task.ts";
import { isSameTask } from "./write-task.ts";

const untouched: TaskStanding = { status: "ready", iteration: 0, progress: null };

/** A task before its first run. */
export function newTask(definition: TaskDefinition, at: number): Task {
  return { ...definition, ...untouched, version: 1, createdAt: at, updatedAt: at };
}

/**
 * The next version of a task. An active run keeps the version it began with. Every other task begins again when its work
 * changes: what roles did for the former version verifies nothing of the new one.
 */
export function editTask(task: Task, definition: TaskDefinition, at: number): Task {
  const { other: _former, ...rest } = task;
  return {
    ...rest,
    ...definition,
    ...(isAtRest(task) && isOtherWork(task, definition) ? untouched : {}),
    version: task.version + 1,
    updatedAt: at,
  };
}

/**
 * How the stored task stands after a run of `worked`, the definition that the run began with. The end of a run says nothing
 * about another definition: the edited task begins again.
 */
export function standingOfEdited(stored: TaskDefinition, worked: TaskDefinition, standing: TaskStanding): TaskStanding {
  return isAtRest(standing) && isOtherWork(stored, worked) ? untouched : standing;
}

/** Whether an edit changed what is to be done, and not only when or by whom. */
export function isOtherWork(first: TaskDefinition, second: TaskDefinition): boolean {
  return !isSameTask(workOf(first), workOf(second));
}

/** Whether no run is at work on a task, and no merge of it waits for its checks: that one must be kept or undone first. */
function isAtRest({ status, progress }: TaskStanding): boolean {
  return status !== "running" && progress?.tip === undefined;
}

/** The part of a definition that describes the work; the rest says when and by whom. */
function workOf(definition: TaskDefinition): TaskDefinition {
  return { ...definition, priority: 1, dependencies: [], assignee: null, metadata: {}, other: {} };
}
