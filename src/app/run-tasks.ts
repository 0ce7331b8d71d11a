import type { Outcome } from "../core/run/outcome.ts";
import { inOrder } from "../core/tasks/choose-tasks.ts";
import { jobsMax, lacksWorktrees } from "../core/tasks/work-jobs.ts";
import type { Task } from "../core/tasks/task.ts";
import { type Role, roles } from "../core/tasks/criteria/role.ts";
import { isObject } from "../core/text/is-object.ts";
import { idleOutcome } from "../core/work/idle-outcome.ts";
import type { TaskEnd } from "../core/work/work-outcome.ts";
import { lockedBy } from "../shell/drivers/take-lease.ts";
import type { Machine } from "../shell/machine.ts";
import { readLineage } from "../shell/processes/lineage.ts";
import { newRunId } from "../shell/stores/run-id.ts";
import { quietListener } from "./functions/quiet-listener.ts";
import { type HandleSide, type LoopHandle, openHandle, workConnection } from "./loop-handle.ts";
import { prepareWork } from "./prepare/prepare-work.ts";
import { drivenOf } from "./query/find/is-driven.ts";
import { refuseChange } from "./requests/refuse-from-own-run.ts";
import type { TaskDocument } from "./read-criteria.ts";
import {
  distinctListOf,
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
import { planOrRefuse } from "./tasks/plan-or-refuse.ts";
import { storeTasks, type TaskImport } from "./tasks/store-tasks.ts";
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
  /**
   * Ids of stored tasks, or definitions that are stored when the run begins; every task that is ready unless told. A call
   * that is refused stores nothing.
   */
  tasks?: (string | TaskDocument)[];
  /** The roles each task goes through, at least one and none twice; those of the settings unless told. */
  roles?: Role[];
  /** Tasks at once (1), at most 64; more than one need `worktrees`. */
  jobs?: number;
  /** Each task in a git work tree and on a branch of its own, merged when its roles are done. */
  worktrees?: boolean;
  /** Told how each task ended. What it throws or rejects with is ignored. */
  onTaskEnd?: (end: TaskEnd) => void;
};

const rules: OptionRules<RunTasksOptions> = {
  ...commonRules,
  tasks: listOf(ruleOf("the id of a task or its definition", (value) => text.isMet(value) || isObject(value))),
  roles: distinctListOf(oneOf(roles)),
  jobs: wholeNumber(1, jobsMax),
  worktrees: flag,
  onTaskEnd: ruleOf("a function", (value) => typeof value === "function"),
};

/**
 * Takes tasks through their roles, each role verified, in this process. The work run and its role runs are ordinary
 * ones: `ralph status`, `show`, `cancel` know them. Where every task is done already it is `completed`, unverified;
 * where there are no tasks it is `stopped`.
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
  if (lacksWorktrees({ jobs, isInWorktrees: worktrees }))
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
  const { tasks = [], jobs = 1, worktrees = false, roles: wanted = null, allowDirty = false } = given;
  const { talk } = side;
  const names = tasks.map((task) => (typeof task === "string" ? task : task.id));
  const documents = tasks.filter((task) => typeof task !== "string");
  const directory = realProjectDir(given);
  if (documents.length > 0) await refuseChange({ ...machine, lineage: readLineage() }, directory);
  const { projectDir, loaded } = await settingsOf(machine, given, { caller: "runTasks", say: talk.say });
  const order = { directory, sources: [{ name: "option tasks", documents }], isReplacing: true };
  const known = await tasksAfter(machine, order, documents.length > 0);
  const unknown = names.findIndex((name) => !known.some((task) => task.id === name));
  if (unknown !== -1)
    throw refuseOptions(
      "runTasks",
      `option tasks[${unknown}] is ${JSON.stringify(names[unknown])}, expected the id of a task of ${directory}`,
    );
  const store = async (): Promise<void> => {
    if (documents.length > 0) await storeTasks(machine, order);
  };
  const wish = { projectDir, loaded, names, known, roles: wanted, jobs, isInWorktrees: worktrees, say: talk.say };
  const frozen = await prepareWork(machine, wish);
  if (frozen === null) {
    await refuseDriven(machine, projectDir);
    await store();
    return { outcome: outcomeOfNone(known, names) };
  }
  const connection = workConnection(side, id, quietListener(given.onTaskEnd));
  // A call that is refused changes no task: they are stored once the run holds the project.
  const start = { frozen, talk, isDirtyAllowed: allowDirty || worktrees, id, whenHeld: store };
  return startWorkHere(machine, start, connection);
}

/** The tasks of the project as they will be once those of the call are stored; nothing is stored yet. */
async function tasksAfter({ store, clock }: Machine, order: TaskImport, hasDocuments: boolean): Promise<Task[]> {
  const stored = await store.listTasks(order.directory);
  if (!hasDocuments) return stored;
  const { writes } = planOrRefuse(order.sources, { stored, isReplacing: order.isReplacing, at: clock.now() });
  return inOrder([
    ...stored.filter(({ id }) => !writes.some(({ task }) => task.id === id)),
    ...writes.map(({ task }) => task),
  ]);
}

/** No task can be played; without names all tasks of the project are meant. */
function outcomeOfNone(tasks: readonly Task[], names: readonly string[]): Outcome {
  const meant = tasks.filter(({ id }) => names.length === 0 || names.includes(id));
  return idleOutcome(meant.map(({ id, status }) => ({ id, isDone: status === "done" })));
}

/** No run begins that would hold the project: one that lives keeps its tasks. */
async function refuseDriven(machine: Machine, directory: string): Promise<void> {
  const runs = await machine.store.list({ directory, limit: null, isHeld: true });
  const [holder] = await drivenOf(machine, runs);
  if (holder !== undefined) throw lockedBy(holder);
}
