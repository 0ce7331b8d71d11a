import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { type TaskFolder, taskFolderAt, taskFolderOf } from "../../shell/supervise/records/task-folder.ts";
import type { Program } from "./load-run-settings.ts";

/** How a person names the folder of a supervised task. Null: not given. */
export type TaskFolderWish = {
  projectDir: string;
  taskDir: string | null;
  projectId: string | null;
  taskId: string | null;
};

/** By its path; by project and task below the root of all runs; else the project directory itself. Throws when it is missing. */
export function findTaskFolder({ env }: Pick<Program, "env">, wish: TaskFolderWish): TaskFolder {
  const { projectDir, taskDir, projectId, taskId } = wish;
  const root = env["JRUN_RUNS_DIR"] || join(homedir(), ".run-agent", "runs");
  const isById = taskDir === null && projectId !== null && taskId !== null;
  const { path } = isById ? taskFolderOf(root, { projectId, taskId }) : taskFolderAt(resolve(taskDir ?? projectDir));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return taskFolderAt(realpathSync(path));
  throw new RalphError("usage", `The task directory ${path} does not exist.`, `Create it first: mkdir -p ${path}`);
}
