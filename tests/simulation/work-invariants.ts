import { isDeepStrictEqual } from "node:util";
import type { OutcomeName } from "../../src/core/run/outcome.ts";
import { isOtherWork } from "../../src/core/tasks/edit-task.ts";
import type { FrozenRun } from "../../src/core/settings/run/frozen-run.ts";
import type { Task } from "../../src/core/tasks/task.ts";
import type { WorkPlan } from "../../src/core/tasks/work-plan.ts";
import type { WorkEnd } from "../../src/shell/drivers/work/work-driver.ts";
import type { RunRecord, Store } from "../../src/shell/ports.ts";
import type { DiskKill, DiskWorld } from "./fake-disk.ts";
import type { ProcessWorld } from "./fake-processes.ts";
import type { FakeWorktrees } from "./fake-worktrees.ts";
import type { StartKill } from "./mortal-processes.ts";
import type { KillPoint } from "./mortal-store.ts";
import type { Random } from "./random.ts";
import type { WorkTruth } from "./work-stage.ts";
import type { Life, World } from "./world.ts";

/** A work run on its simulated machine. */
export type WorkScene = {
  random: Random;
  world: World;
  disk: DiskWorld;
  processes: ProcessWorld;
  truth: WorkTruth;
  git: FakeWorktrees;
  store: Store;
  lives: Map<number, Life>;
  frozen: FrozenRun & { work: WorkPlan };
  /** Runs in the order of their beginning. */
  begun: Set<string>;
  /** Tasks that were stored as done. */
  done: Set<string>;
  kills: KillPoint[];
  diskKills: DiskKill[];
  startKills: StartKill[];
  killChance: number;
  diskKillChance: number;
  faultChance: number;
  /** Runs that were cancelled, the work itself or a role's, with the turns they had then. */
  cancelled: Map<string, number>;
};

type End = { scene: WorkScene; id: string; outcome: OutcomeName; tasks: Task[]; children: RunRecord[] };

type WorkInvariant = (end: End) => string | null;

/** What a person expects of a work run, judged by what is true on the machine. */
export const workInvariants = {
  "a task is done only when every role's last run completed in this round": (end) => {
    for (const task of end.tasks.filter(({ status }) => status === "done"))
      for (const role of end.scene.frozen.work.roles) {
        const last = lastRunOf(end, task.id, role);
        if (last?.outcome?.name !== "completed") return `the ${role} of ${task.id} is ${last?.outcome?.name}`;
        if (last.frozen.task?.round !== task.progress?.round) return `the ${role} of ${task.id} is of another round`;
      }
    return null;
  },
  "a role is verified only by a claim of its own on green checks": ({ scene, tasks }) => {
    for (const { id, status } of tasks)
      for (const role of scene.frozen.work.roles) {
        const last = scene.truth.lastTurns.get(`${id} ${role}`);
        if (status === "done" && !(last?.hasClaimed === true && last.isFixed)) return `the ${role} of ${id} was not`;
      }
    return null;
  },
  "what is done in a work tree is merged": ({ scene, tasks }) => {
    if (scene.frozen.work.worktrees === null) return null;
    const left = tasks.find(({ id, status }) => status === "done" && !scene.git.merged.has(`ralph/${id}`));
    return left === undefined ? null : `${left.id} is not`;
  },
  "a task is done only with every project gate green on the merged tip": ({ scene }) => {
    const [first] = scene.truth.unverified;
    return first === undefined ? null : `${first} is`;
  },
  "no task is lost": ({ scene, tasks }) => {
    const gone = scene.frozen.work.tasks.find(({ id }) => tasks.every((task) => task.id !== id));
    if (gone !== undefined) return `${gone.id} is gone`;
    const running = tasks.find(({ status }) => status === "running");
    return running === undefined ? null : `${running.id} seems to be worked on`;
  },
  "nothing that could go on is left when a work run ends by itself": ({ scene, outcome, tasks }) => {
    if (outcome !== "completed" && outcome !== "exhausted") return null;
    const isDone = (id: string): boolean => tasks.some((task) => task.id === id && task.status === "done");
    // A task that was edited meanwhile, and what waits for it, is for the next work run.
    const isForNext = (task: Task): boolean =>
      scene.frozen.work.tasks.some((worked) => worked.id === task.id && isOtherWork(worked, task)) ||
      tasks.some((other) => task.dependencies.includes(other.id) && isForNext(other));
    const open = tasks.find((task) => outcome === "completed" && !isDone(task.id) && !isForNext(task));
    const left = tasks.find((task) => task.status === "ready" && task.dependencies.every(isDone) && !isForNext(task));
    if (left !== undefined) return `${left.id} is ready`;
    return open === undefined || scene.frozen.work.tasks.length === 0 ? null : `${open.id} is ${open.status}`;
  },
  "a task begins only when what it waits for is done": ({ scene }) => {
    const [first] = scene.truth.early;
    return first === undefined ? null : `${first} did`;
  },
  "there are never more rounds than allowed": ({ scene, children }) => {
    const roundsMax = scene.frozen.work.rounds + 1;
    const beyond = children.find(({ frozen }) => (frozen.task?.round ?? 1) > roundsMax);
    return beyond === undefined ? null : `round ${beyond.frozen.task?.round} of ${beyond.frozen.task?.id}`;
  },
  "there are never more turns at once than allowed": ({ scene }) => {
    const { turnsAtOnce } = scene.truth;
    return turnsAtOnce > scene.frozen.work.jobs ? `${turnsAtOnce} at once` : null;
  },
  "what was cancelled stays cancelled": ({ scene, id, outcome, children }) => {
    for (const [runId, turns] of scene.cancelled) {
      const name = runId === id ? outcome : children.find((child) => child.id === runId)?.outcome?.name;
      if (name !== "cancelled") return `${runId} is ${name} now`;
      if ((scene.truth.turnsOf.get(runId) ?? 0) > turns) return `an agent of ${runId} was started after it`;
    }
    return null;
  },
  "after the end no process is alive": ({ scene, outcome }) => {
    // A call of git is never cut short: that of a driver that died comes to its own end.
    const first = scene.processes.living().find(({ turnMarker }) => !turnMarker.includes(".git/"));
    return first === undefined ? null : `${first.turnMarker} after ${outcome}`;
  },
} satisfies Record<string, WorkInvariant>;

/** The last run of a role on a task, in the order of their beginning, whatever the clock said then. */
function lastRunOf({ scene, children }: End, taskId: string, role: string): RunRecord | undefined {
  const begun = [...scene.begun];
  return children
    .filter(({ frozen }) => frozen.task?.id === taskId && frozen.criterion?.role === role)
    .toSorted((one, other) => begun.indexOf(one.id) - begun.indexOf(other.id))
    .at(-1);
}

/** Holds every invariant against an ended work; throws with the name of one that is broken. */
export async function checkWorkEnd(scene: WorkScene, { id, outcome }: WorkEnd): Promise<OutcomeName> {
  const tasks = await scene.store.listTasks(scene.frozen.projectDir);
  const children = await scene.store.list({ directory: null, limit: null, parentId: id });
  const facts = { scene, id, outcome: outcome.name, tasks, children };
  for (const [title, invariant] of Object.entries<WorkInvariant>(workInvariants)) {
    const problem = invariant(facts);
    if (problem !== null) throw new Error(`${title}: ${problem}`);
  }
  const [record] = await scene.store.find(id);
  if (!isDeepStrictEqual(record?.outcome, outcome)) throw new Error("the store and the driver disagree on the outcome");
  // One cancelled task makes a cancelled work, but only what was cancelled as a whole is over.
  const whole = record?.state.isCancelAsked === true ? [record] : [];
  for (const run of [...children, ...whole])
    if (run.outcome?.name === "cancelled" && !scene.cancelled.has(run.id))
      scene.cancelled.set(run.id, scene.truth.turnsOf.get(run.id) ?? 0);
  return outcome.name;
}
