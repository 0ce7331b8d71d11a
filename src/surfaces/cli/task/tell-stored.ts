import { taskJson } from "../../../app/query/task-json.ts";
import { knownTask } from "../../../app/tasks/known-task.ts";
import { limitHistory } from "../../../app/tasks/limit-history.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { Records } from "../../../shell/wire-store.ts";
import { renderHistory } from "../views/render-history.ts";
import { toldSettings } from "./told-settings.ts";

/** Says that a new task is stored, and what similar tasks needed. */
export async function tellStored(
  machine: Records,
  { directory, id, isJson }: { directory: string; id: string; isJson: boolean },
): Promise<void> {
  const tasks = await machine.store.listTasks(directory);
  const task = knownTask(tasks, id);
  const settings = await toldSettings(machine, directory);
  const history = await limitHistory(machine, { directory, task, settings });
  if (isJson) return void process.stdout.write(jsonResult({ ...taskJson(task, tasks, settings), history }));
  process.stdout.write(cleanLines([`Task ${id} is stored. Look at it: ralph task show ${id}`]));
  process.stderr.write(renderHistory(id, history));
}
