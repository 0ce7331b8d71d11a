import type { Task } from "../../core/tasks/task.ts";
import type { Records } from "../../shell/wire-store.ts";
import { runsOfTask } from "./find/role-runs.ts";
import { runJson } from "./run-json.ts";
import { taskJson } from "./task-json.ts";
import { type TermSettings, termSettings } from "./term-settings.ts";
import { type WholeRun, wholeRun } from "./whole-run.ts";

/** A task among those of its project, with every verdict of its roles and the evidence (S2-55, CW-2O). */
export type WholeTask = { task: Task; tasks: Task[]; runs: WholeRun[]; terms: TermSettings };

/** A task with all that is shown of it. */
export async function wholeTask(machine: Records, directory: string, task: Task): Promise<WholeTask> {
  const tasks = await machine.store.listTasks(directory);
  const runs: WholeRun[] = [];
  for (const run of await runsOfTask(machine, directory, task.id)) runs.push(await wholeRun(machine, run));
  return { task, tasks, runs, terms: await termSettings(machine, directory) };
}

/** The same for programs. */
export function wholeTaskJson({ task, tasks, runs, terms }: WholeTask): Record<string, unknown> {
  return { ...taskJson(task, tasks, terms.settings), runs: runs.map(runJson) };
}
