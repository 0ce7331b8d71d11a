import type { Task } from "../../../core/tasks/task.ts";
import type { Records } from "../../../shell/wire-store.ts";
import { cleanText } from "../../../core/text/clean-text.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { renderRoleRuns } from "./render-role-runs.ts";
import { roleRunsJson, runsOfTask } from "../../../app/query/role-runs.ts";
import { renderTask } from "./render-task.ts";
import { taskJson } from "../../../app/query/task-json.ts";

/** A task with its criteria, and every verdict of its roles with the evidence (S2-55, CW-2O). */
export async function showTask(
  machine: Records,
  { directory, task, isJson }: { directory: string; task: Task; isJson: boolean },
): Promise<string> {
  const tasks = await machine.store.listTasks(directory);
  const runs = await runsOfTask(machine, directory, task.id);
  if (isJson) return jsonLine({ ...taskJson(task, tasks), runs: await roleRunsJson(machine, runs) });
  const shown = await renderRoleRuns(machine, runs);
  return cleanText([renderTask(task, tasks), ...(shown === "" ? [] : [shown])].join("\n"));
}
