import { writeCompletionSpec } from "./criteria/read-completion-spec.ts";
import { priorityDefault } from "./read-task.ts";
import type { TaskDefinition } from "./task.ts";

/** The document of a task without empty fields; reading it gives the same definition. */
export function writeTask(task: TaskDefinition): Record<string, unknown> {
  const { id, spec, title, description, priority, dependencies, assignee, metadata, completion, other } = task;
  return {
    id,
    ...(spec === "" ? {} : { spec }),
    title,
    ...(description === "" ? {} : { description }),
    ...(priority === priorityDefault ? {} : { priority }),
    ...(dependencies.length === 0 ? {} : { dependencies }),
    ...(assignee === null ? {} : { assignee }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(completion === null ? {} : { completion: writeCompletionSpec(completion) }),
    ...other,
  };
}

/** Whether two definitions are equal. */
export function isSameTask(first: TaskDefinition, second: TaskDefinition): boolean {
  return JSON.stringify(writeTask(first)) === JSON.stringify(writeTask(second));
}
