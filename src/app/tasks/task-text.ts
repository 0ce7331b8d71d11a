import { readTaskFiles } from "../../shell/tasks/read-task-files.ts";
import { formatTasks } from "../../shell/tasks/task-files.ts";
import type { Task } from "../../core/tasks/task.ts";
import type { TaskSource } from "../../core/tasks/plan-import.ts";
import { writeTask } from "../../core/tasks/write-task.ts";
import type { Machine } from "../../shell/machine.ts";

/** Tasks as a file that can be imported again. */
export function taskText(tasks: readonly Task[], format: "yaml" | "json"): string {
  return formatTasks(tasks.map(writeTask), format);
}

/** The tasks of all files; `-` is standard input. Throws for the first that cannot be read. */
export function readTaskSources(
  { disk }: Pick<Machine, "disk">,
  paths: readonly string[],
  readStdin: () => Promise<string>,
): Promise<TaskSource[]> {
  return readTaskFiles(paths, { disk, readStdin });
}
