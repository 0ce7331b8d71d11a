import { basename, dirname, join, resolve } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { idProblem, isRunId } from "../../../core/supervise/run-ids.ts";
import { busNames } from "../../bus/find-bus.ts";

/** Where everything of a task stands: `<root>/<project>/<task>/`. */
export type TaskFolder = {
  path: string;
  /** The folder of the task's project, and the one that holds the projects. */
  projectPath: string;
  rootPath: string;
  taskFile: string;
  stateFile: string;
  configFile: string;
  doneFile: string;
  waitFile: string;
  busFile: string;
  projectBusFile: string;
  runsFolder: string;
  propagationFile: string;
};

/** The paths of a task, by its folder. Nothing is made or looked at. */
export function taskFolderAt(folder: string): TaskFolder {
  const path = resolve(folder);
  const projectPath = dirname(path);
  return {
    path,
    projectPath,
    rootPath: dirname(projectPath),
    taskFile: join(path, "TASK.md"),
    stateFile: join(path, "TASK_STATE.md"),
    configFile: join(path, "TASK-CONFIG.yaml"),
    doneFile: join(path, "DONE"),
    waitFile: join(path, "WAIT_WITHOUT_RESTART"),
    busFile: join(path, busNames.task),
    projectBusFile: join(projectPath, busNames.project),
    runsFolder: join(path, "runs"),
    propagationFile: join(path, "TASK-COMPLETE-FACT-PROPAGATION.yaml"),
  };
}

/** The folder of a task below a root. Refuses ids that could lead out of it. */
export function taskFolderOf(root: string, ids: { projectId: string; taskId: string }): TaskFolder {
  assertId("project id", ids.projectId);
  assertId("task id", ids.taskId);
  return taskFolderAt(join(root, ids.projectId, ids.taskId));
}

/** Project and task by the names of their folders, for tasks given by `--task-dir`. */
export function idsOfFolder({ path, projectPath }: TaskFolder): { projectId: string; taskId: string } {
  return { projectId: basename(projectPath) || "project", taskId: basename(path) || "task" };
}

/** The files of one run. */
export type RunFolder = {
  path: string;
  infoFile: string;
  promptFile: string;
  outputFile: string;
  stdoutFile: string;
  stderrFile: string;
};

/** The folder of a run below its task. Refuses ids that could lead out of it. */
export function runFolderOf(task: TaskFolder, runId: string): RunFolder {
  if (!isRunId(runId)) throw new RalphError("usage", `"${runId}" is not a run id.`);
  return runFolderAt(join(task.runsFolder, runId));
}

/** The files of a run, by its folder. */
export function runFolderAt(path: string): RunFolder {
  return {
    path,
    infoFile: join(path, "run-info.yaml"),
    promptFile: join(path, "prompt.md"),
    outputFile: join(path, "output.md"),
    stdoutFile: join(path, "agent-stdout.txt"),
    stderrFile: join(path, "agent-stderr.txt"),
  };
}

function assertId(what: string, id: string): void {
  const problem = idProblem(id);
  if (problem !== null) throw new RalphError("usage", `The ${what} ${problem}.`);
}
