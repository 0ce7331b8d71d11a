/** Where a supervised run works and who it is. */
export type RunIdentity = {
  projectId: string;
  taskId: string;
  runId: string;
  parentRunId: string | null;
  /** The folder that holds the projects. */
  runsRoot: string;
  taskFolder: string;
  runFolder: string;
  busPath: string;
  /** Null: there is no server. */
  serverUrl: string | null;
};

/**
 * What a supervised agent finds in its environment, and the older names of the three folders. A variable without a
 * value is set empty, so that none of a surrounding run shines through.
 */
export function supervisedEnvironment(run: RunIdentity): Record<string, string> {
  return {
    JRUN_PROJECT_ID: run.projectId,
    JRUN_TASK_ID: run.taskId,
    JRUN_ID: run.runId,
    JRUN_PARENT_ID: run.parentRunId ?? "",
    JRUN_RUNS_DIR: run.runsRoot,
    JRUN_MESSAGE_BUS: run.busPath,
    JRUN_TASK_FOLDER: run.taskFolder,
    JRUN_RUN_FOLDER: run.runFolder,
    ...(run.serverUrl === null ? {} : { JRUN_CONDUCTOR_URL: run.serverUrl }),
    TASK_FOLDER: run.taskFolder,
    RUN_FOLDER: run.runFolder,
    MESSAGE_BUS: run.busPath,
  };
}

/** Warnings for inherited `JRUN_*` that name another project, task or bus than this run has. */
export function inheritedMismatches(
  inherited: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): string[] {
  return comparedNames
    .filter((name) => (inherited[name] ?? "") !== "" && inherited[name] !== own[name])
    .map((name) => `${name} is ${inherited[name]} in the environment, this run uses ${own[name]}`);
}

/** A search path that begins with `folder`, so that an agent calls the `ralph` that runs it. */
export function pathWithFirst(folder: string, path: string | undefined, delimiter: string): string {
  const others = (path ?? "").split(delimiter).filter((each) => each !== "" && each !== folder);
  return [folder, ...others].join(delimiter);
}

/** Run ids and run folders differ in every nested run; these should not. */
const comparedNames = ["JRUN_PROJECT_ID", "JRUN_TASK_ID", "JRUN_RUNS_DIR", "JRUN_MESSAGE_BUS", "JRUN_TASK_FOLDER"];
