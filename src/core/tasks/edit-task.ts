import type { Task, TaskDefinition, TaskStanding } from "./task.ts";
import { isSameTask } from "./write-task.ts";

const untouched: TaskStanding = { status: "ready", iteration: 0, progress: null };

/** A task before its first run. */
export function newTask(definition: TaskDefinition, at: number): Task {
  return { ...definition, ...untouched, version: 1, createdAt: at, updatedAt: at };
}

/**
 * The next version of a task. An active run keeps the version it began with. A finished task is ready again when its work
 * changes: the new version is not verified.
 */
export function editTask(task: Task, definition: TaskDefinition, at: number): Task {
  const isFinished = task.status === "done" || task.status === "failed";
  const isOtherWork = !isSameTask(workOf(task), workOf(definition));
  return {
    ...task,
    ...definition,
    ...(isFinished && isOtherWork ? untouched : {}),
    version: task.version + 1,
    updatedAt: at,
  };
}

/** The part of a definition that describes the work; the rest says when and by whom. */
function workOf(definition: TaskDefinition): TaskDefinition {
  return { ...definition, priority: 1, dependencies: [], assignee: null, metadata: {} };
}
