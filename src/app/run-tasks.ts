import type { Outcome } from "../core/run/outcome.ts";
import { type Role, roles } from "../core/tasks/criteria/role.ts";
import { isObject } from "../core/text/is-object.ts";
import { idleOutcome } from "../core/work/idle-outcome.ts";
import type { TaskEnd } from "../core/work/work-outcome.ts";
import type { Machine } from "../shell/machine.ts";
import { readLineage } from "../shell/processes/lineage.ts";
import { newRunId } from "../shell/stores/run-id.ts";
import { quietListener } from "./functions/quiet-listener.ts";
import { type HandleSide, type LoopHandle, openHandle, workConnection } from "./loop-handle.ts";
import { prepareWork } from "./prepare/prepare-work.ts";
import { refuseChange } from "./requests/refuse-from-own-run.ts";
import type { TaskDocument } from "./read-criteria.ts";
import {
  flag,
  listOf,
  oneOf,
  type OptionRules,
  readOptions,
  refuseOptions,
  ruleOf,
  text,
  wholeNumber,
} from "./read-options.ts";
import { type CommonOptions, commonRules, realProjectDir, settingsOf, withMachine } from "./run-loop.ts";
import { storeTasks } from "./tasks/store-tasks.ts";
import { startWorkHere } from "./start/start-work-here.ts";

/**
 * What `runTasks` takes.
 *
 * @example
 * ```ts
 * import { runTasks, type RunTasksOptions } from "ralph";
 *
 * const options: RunTasksOptions = {
 *   tasks: [{ id: "greet", title: "Greet the user" }],
 *   roles: ["coder"],
 *   agent: () => "<promise>IMPLEMENTATION_COMPLETE</promise>",
 *   settings: { verifyCommand: "true" },
 * };
 * console.log((await runTasks(options).outcome).name); // completed
 * ```
 */
export type RunTasksOptions = CommonOptions & {
  /** Ids of stored tasks, or definitions that are stored first; every task that is ready unless told. */
  tasks?: (string | TaskDocument)[];
  /** The roles each task goes through; those of the settings unless told. */
  roles?: Role[];
  /** Tasks at once (1); more need `worktrees`. */
  jobs?: number;
  /** Each task in a git work tree and on a branch of its own, merged when its roles are done. */
  worktrees?: boolean;
  /** Told how each task ended. What it throws or rejects with is ignored. */
  onTaskEnd?: (end: TaskEnd) => void;
};

const rules: OptionRules<RunTasksOptions> = {
  ...commonRules,
  tasks: listOf(ruleOf("the id of a task or its definition", (value) => text.isMet(value) || isObject(value))),
  roles: listOf(oneOf(roles)),
  jobs: wholeNumber(1),
  worktrees: flag,
  onTaskEnd: ruleOf("a function", (value) => typeof value === "function"),
};

/**
 * Takes tasks through their roles, each role verified, in this process. The work run and its role runs are ordinary
 * ones: `ralph status`, `show`, `cancel` know them. Where every task is done already it is `completed`, unverified.
 *
 * @example
 * ```ts
 * import { runTasks } from "ralph";
 *
 * const work = runTasks({
 *   tasks: [{ id: "greet", title: "Greet the user" }],
 *   roles: ["coder"],
 *   agent: () => "<promise>IMPLEMENTATION_COMPLETE</promise>",
 *   settings: { verifyCommand: "true" },
 *   onTaskEnd: ({ id, status }) => console.log(id, status), // greet done
 * });
 * console.log((await work.outcome).name); // completed
 * ```
 */
export function runTasks(options: RunTasksOptions): LoopHandle {
  const given = readOptions("runTasks", options, rules);
  const { signal, jobs = 1, worktrees = false } = given;
  if (jobs > 1 && !worktrees)
    throw refuseOptions(
      "runTasks",
      `option jobs is ${jobs} and worktrees is not true: agents in one directory undo each other`,
    );
  const id = newRunId(Date.now(), Math.random);
  return openHandle({ id, signal }, (side) =>
    withMachine(given, side.sink, (machine) => drive(machine, { id, given, side })),
  );
}

type Driving = { id: string; given: RunTasksOptions; side: HandleSide };

async function drive(machine: Machine, { id, given, side }: Driving): Promise<{ outcome: Outcome }> {
  const { jobs = 1, worktrees = false, roles: wanted = null, allowDirty = false } = given;
  const { talk } = side;
  const names = await storeGiven(machine, given);
  const { projectDir, loaded } = await settingsOf(machine, given, talk.say);
  const wish = { projectDir, loaded, names, roles: wanted, jobs, isInWorktrees: worktrees, say: talk.say };
  const frozen = await prepareWork(machine, wish);
  if (frozen === null) return { outcome: await outcomeOfNone(machine, projectDir, names) };
  const connection = workConnection(side, id, quietListener(given.onTaskEnd));
  const order = { frozen, talk, isDirtyAllowed: allowDirty || worktrees, id };
  return startWorkHere(machine, order, connection);
}

/** No task can be played; without names all tasks of the project are meant. */
async function outcomeOfNone({ store }: Machine, projectDir: string, names: readonly string[]): Promise<Outcome> {
  const meant = (await store.listTasks(projectDir)).filter(({ id }) => names.length === 0 || names.includes(id));
  return idleOutcome(meant.map(({ id, status }) => ({ id, isDone: status === "done" })));
}

/** Stores the definitions among the tasks, all of them or none, and returns the ids of all. */
async function storeGiven(machine: Machine, options: RunTasksOptions): Promise<string[]> {
  const { tasks = [] } = options;
  const documents = tasks.filter((task) => typeof task !== "string");
  if (documents.length > 0) {
    const directory = realProjectDir(options);
    await refuseChange({ ...machine, lineage: readLineage() }, directory);
    await storeTasks(machine, { directory, sources: [{ name: "option tasks", documents }], isReplacing: true });
  }
  return tasks.map((task) => (typeof task === "string" ? task : task.id));
}
