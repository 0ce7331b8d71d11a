import { RalphError } from "../../core/ralph-error.ts";
import type { Task } from "../../core/tasks/task.ts";
import type { Machine } from "../../shell/machine.ts";
import { editText } from "../../shell/tasks/edit-text.ts";
import { parseTasks } from "../../shell/tasks/task-files.ts";
import { taskText } from "./task-text.ts";

/** Documents as a person left them. Their text stays in `path` until it is discarded; null: they come from flags. */
export type EditedDocuments = { documents: unknown[]; path: string | null; discard: () => Promise<void> };

/** Opens a task in the person's editor. An error names the file that has kept the text. */
export async function editDocument(
  { env, processes }: Pick<Machine, "env" | "processes">,
  task: Task,
): Promise<EditedDocuments> {
  const edited = await editText(taskText([task], "yaml"), { fileName: `${task.id}.yaml`, env, processes });
  try {
    return { ...edited, documents: parseTasks(edited.text, edited.path).documents };
  } catch (error) {
    return keepText(error, edited.path);
  }
}

/** An error never discards a person's text. */
export function keepText(error: unknown, path: string | null): never {
  if (!(error instanceof RalphError) || path === null) throw error;
  const hint = `Your text is kept in ${path}; correct it and: ralph task import --replace ${path}`;
  throw new RalphError(error.code, error.message, hint, error);
}
