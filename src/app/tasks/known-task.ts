import { RalphError } from "../../core/ralph-error.ts";
import { closest } from "../../core/text/closest.ts";
import type { Task } from "../../core/tasks/task.ts";

/** The task with that id, or an error that names the most similar id. */
export function knownTask(tasks: readonly Task[], id: string): Task {
  const task = tasks.find((each) => each.id === id);
  if (task !== undefined) return task;
  const ids = tasks.map((each) => each.id);
  const near = closest(id, ids);
  const hint = near === null ? "`ralph task list` shows the tasks of this project." : `Did you mean ${near}?`;
  throw new RalphError("not-found", `There is no task "${id}" in this project.`, hint);
}
