import type { Task, TaskDefinition, TaskStanding } from "./task.ts";
import { isSameTask } from "./write-task.ts";

const untouched: TaskStanding = { status: "ready", iteration: 0, progress: null };

/** A task nobody has worked on yet. */
export function newTask(definition: TaskDefinition, at: number): Task {
  return { ...definition, ...untouched, version: 1, createdAt: at, updatedAt: at };
}

/**
 * The next version of a task. A run at work keeps the version it began with. A finished task whose work is described
 * anew is ready again: nobody has verified the new version.
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

/** The part of a definition that says what is to be done; the rest says when and by whom. */
function workOf(definition: TaskDefinition): TaskDefinition {
  return { ...definition, priority: 1, dependencies: [], assignee: null, metadata: {} };
}
