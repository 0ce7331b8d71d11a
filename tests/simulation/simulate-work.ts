import type { OutcomeName } from "../../src/core/run/outcome.ts";
import { parseSettings } from "../../src/core/settings/parse-settings.ts";
import { runPolicy } from "../../src/core/settings/run/run-policy.ts";
import { type Role, roles } from "../../src/core/tasks/criteria/role.ts";
import type { Task, TaskDefinition } from "../../src/core/tasks/task.ts";
import { editTask as nextVersion } from "../../src/core/tasks/edit-task.ts";
import { resumeWork, startWork, type WorkEnd } from "../../src/shell/drivers/work/work-driver.ts";
import type { WorkConnection } from "../../src/shell/drivers/work/work-connection.ts";
import type { Machine } from "../../src/shell/machine.ts";
import type { Owner, RunRecord, Store } from "../../src/shell/ports.ts";
import { wire } from "../../src/shell/wire.ts";
import { checkJournal } from "./check-journal.ts";
import { endOf } from "./end-of-life.ts";
import { createDiskWorld, type DiskKill } from "./fake-disk.ts";
import { createProcessWorld, type ProcessWorld } from "./fake-processes.ts";
import { mortalProcesses, type StartKill } from "./mortal-processes.ts";
import { type KillPoint, mortalStore } from "./mortal-store.ts";
import { connectionOf } from "./people.ts";
import { createRandom, type Random } from "./random.ts";
import { checkWorkEnd, type WorkScene } from "./work-invariants.ts";
import { createWorkStage, promiseOf, tipOf } from "./work-stage.ts";
import { createWorld, type Life, passTime } from "./world.ts";

/** What one simulated work reached. */
export type WorkReached = {
  outcomes: OutcomeName[];
  statuses: Set<string>;
  /** Kinds of effects in the journal of the work run. */
  effects: Set<string>;
  kills: KillPoint[];
  diskKills: DiskKill[];
  startKills: StartKill[];
  acts: Set<string>;
  hasSendBack: boolean;
  hasUndoneMerge: boolean;
};

/** Puts a fault into the machine, to show that an invariant notices it. */
export type WorkPlant = (machine: Machine, scene: WorkScene) => Machine;

/** Deaths at most; after them the killer rests, so that every work run can end. */
const deathsMax = 6;

/** Endings at most that a person resumes. */
const endingsMax = 4;

const projectDir = "/project";

/**
 * One work from start to a final outcome, with the production drivers and core on a simulated machine: several tasks
 * that wait for one another go through their roles, side by side in work trees or one after another; roles lie, reject,
 * fail and hang; people cancel one or all; the program is killed around every effect, every change of the disk and every
 * process it starts, and resumed. Throws when an invariant is broken.
 */
export async function simulateWork(
  seed: number,
  store: Store,
  plant: WorkPlant = (machine) => machine,
): Promise<WorkReached> {
  const scene = await openScene(seed, store);
  const outcomes: OutcomeName[] = [];
  for (let deaths = 0; ;) {
    const end = await live(scene, plant);
    // Agents whose driver died work on for a while.
    if (scene.random.chance(0.5)) await passTime(scene.world, scene.random.below(5000));
    if (end === null) {
      deaths += 1;
      if (deaths >= deathsMax) Object.assign(scene, { killChance: 0, diskKillChance: 0, faultChance: 0 });
      continue;
    }
    const outcome = await checkWorkEnd(scene, end);
    outcomes.push(outcome);
    if (outcomes.length > endingsMax) break;
    // A final outcome is met once more: nothing may come of it.
    const isFinal = outcome === "completed" || outcome === "cancelled";
    if (isFinal ? outcomes.at(-2) === outcome : scene.random.chance(0.1)) break;
  }
  return reached(scene, outcomes);
}

async function reached(scene: WorkScene, outcomes: OutcomeName[]): Promise<WorkReached> {
  const { store, kills, diskKills, startKills, truth } = scene;
  const work = await recordOf(scene);
  const children = work === null ? [] : await store.list({ directory: null, limit: null, parentId: work.id });
  const effects = work === null ? new Set<string>() : await checkJournal(store, work);
  for (const child of children) await checkJournal(store, child);
  const tasks = await store.listTasks(projectDir);
  return {
    outcomes,
    effects,
    statuses: new Set(tasks.map(({ status }) => status)),
    kills,
    diskKills,
    startKills,
    acts: truth.actNames,
    hasUndoneMerge: scene.git.undone.size > 0,
    hasSendBack: children.some(({ frozen }) => (frozen.task?.round ?? 1) > 1),
  };
}

async function openScene(seed: number, store: Store): Promise<WorkScene> {
  const random = createRandom(seed);
  const world = createWorld();
  const disk = createDiskWorld(world, random, random.chance(0.15) ? 0.05 : 0);
  const tasks = tasksOf(random);
  await store.putTasks(
    projectDir,
    tasks.map((task) => ({ task, expected: null })),
  );
  const done = new Set<string>();
  const known: { processes?: ProcessWorld; frozen?: WorkScene["frozen"] } = {};
  const stage = createWorkStage(disk.files, random, {
    isReady: (taskId) => tasks.find(({ id }) => id === taskId)?.dependencies.every((id) => done.has(id)) === true,
    hasWorktrees: () => known.frozen?.work.worktrees !== null,
    livingTurns: () => known.processes?.living().filter(({ isAgent }) => isAgent).length ?? 0,
  });
  const processes = createProcessWorld(world, random, stage);
  known.processes = processes;
  const isDeadly = random.chance(0.5);
  const frozen = frozenWork(random, tasks);
  known.frozen = frozen;
  return {
    random,
    world,
    disk,
    processes,
    truth: stage.truth,
    git: stage.git,
    store,
    lives: new Map(),
    frozen,
    begun: new Set(),
    done,
    kills: [],
    diskKills: [],
    startKills: [],
    killChance: isDeadly ? 0.04 : 0,
    diskKillChance: isDeadly ? 0.01 : 0,
    faultChance: random.chance(0.2) ? 0.01 : 0,
    cancelled: new Map(),
  };
}

/** One to four tasks; each may wait for some before it. */
function tasksOf(random: Random): Task[] {
  const ids = ["one", "two", "three", "four"].slice(0, 1 + random.below(4));
  return ids.map((id, index) => ({
    ...definition(
      id,
      ids.slice(0, index).filter(() => random.chance(0.3)),
    ),
    status: "ready",
    iteration: 0,
    progress: null,
    version: 1,
    createdAt: index,
    updatedAt: index,
  }));
}

function definition(id: string, dependencies: string[]): TaskDefinition {
  const criterion = (role: Role) => ({
    promise: promiseOf(role),
    description: "",
    maxIterations: 4,
    verification: { method: "string_match" as const, promise: null, isLoose: false },
  });
  const criteria = Object.fromEntries(roles.map((role) => [role, criterion(role)]));
  const completion = { outcome: "It works.", acceptanceCriteria: ["It works."], criteria };
  const title = `Title of ${id}`;
  return { id, spec: "", title, description: "", priority: 1, dependencies, assignee: null, metadata: {}, completion };
}

function frozenWork(random: Random, tasks: readonly Task[]): WorkScene["frozen"] {
  const settings = parseSettings([
    {
      source: "simulation",
      value: {
        agent: { command: "claude", idleTimeout: "20s", resultGrace: "2s" },
        guardrails: [{ command: "check", failAction: "APPEND" }],
      },
    },
  ]);
  const hasWorktrees = random.chance(0.6);
  return {
    version: "0",
    projectDir,
    prompt: { kind: "text", text: "work" },
    settings,
    settingsFiles: {},
    policy: {
      ...runPolicy(settings),
      kind: "work",
      iterationsMax: null,
      budgetMs: random.pick([null, null, 60_000, 15_000]),
    },
    startCommit: null,
    work: {
      tasks: tasks.map(
        ({ status: _status, progress: _progress, createdAt: _created, updatedAt: _updated, ...task }) => task,
      ),
      roles: random.pick<Role[]>([["coder"], ["coder", "reviewer"], ["coder", "reviewer", "tester"]]),
      rounds: random.pick([1, 1, 2]),
      jobs: hasWorktrees ? 1 + random.below(3) : 1,
      worktrees: hasWorktrees ? { branch: "main", prefix: "" } : null,
    },
  };
}

/** One life of the program: starts or resumes the work. Null when it was killed or a fault ended it. */
async function live(scene: WorkScene, plant: WorkPlant): Promise<WorkEnd | null> {
  const life: Life = { isOver: false, pid: 10 + scene.lives.size };
  scene.lives.set(life.pid, life);
  const machine = plant(await machineOf(scene, life), scene);
  const connection = workConnection(scene, life);
  const record = await recordOf(scene);
  const more = record?.outcome?.name === "exhausted" ? 1 + scene.random.below(3) : null;
  const help = { answer: scene.random.chance(0.5) ? { taskId: null, text: "spaces" } : null, more };
  const running =
    record === null
      ? startWork(machine, scene.frozen, connection)
      : resumeWork(
          machine,
          { runId: record.id, help, change: record.outcome === null ? {} : { budgetMs: null } },
          connection,
        );
  const end = await endOf(scene.world, life, running);
  const isAgentLeft = scene.processes.living().some(({ isAgent }) => isAgent);
  if (end === "fault" && isAgentLeft) throw new Error("an agent is alive after a fault of the store");
  return typeof end === "string" ? null : end;
}

/** People ask something of the work, cancel a single role, and edit a task meanwhile. */
function workConnection(scene: WorkScene, life: Life): WorkConnection {
  const { random, world, store } = scene;
  const whole = connectionOf(scene, life);
  if (random.chance(0.1))
    world.after(random.below(20_000), null, () => void world.busy(editTask(store, random)).catch(() => {}));
  const cancelWhole = (id: string): void =>
    void world.after(random.below(20_000), null, () => void world.busy(store.ask(id, "cancel", 0)).catch(() => {}));
  return {
    onRequest: whole.onRequest,
    onTaken: (run) => {
      whole.onTaken(run);
      if (random.chance(0.1)) cancelWhole(run.id);
    },
    onNote: () => {},
    // An edited task is stored as ready; the version that the run worked on is done.
    onTaskEnd: ({ id, status }) => void (status === "done" && scene.done.add(id)),
    forRole: ({ runId }) => {
      if (random.chance(0.05))
        world.after(random.below(5000), null, () => void world.busy(store.ask(runId, "cancel", 0)).catch(() => {}));
      return { sink: whole.sink, onCheck: () => {}, onStderr: () => undefined, onTaken: () => {} };
    },
  };
}

async function editTask(store: Store, random: Random): Promise<void> {
  const task = random.pick(await store.listTasks(projectDir));
  const edited = nextVersion(task, { ...task, description: "Edited." }, task.updatedAt + 1);
  await store.putTasks(projectDir, [{ task: edited, expected: task.updatedAt }]);
}

async function recordOf({ store }: WorkScene): Promise<RunRecord | null> {
  const runs = await store.list({ directory: projectDir, limit: null });
  return runs.find(({ parentId }) => parentId === null) ?? null;
}

function machineOf(scene: WorkScene, life: Life): Promise<Machine> {
  const { world, random, killChance, faultChance, diskKillChance } = scene;
  return wire({
    clock: world.clock(life),
    processes: mortalProcesses(scene.processes.port(life), life, {
      random,
      killChance: diskKillChance,
      onKill: (point) => void scene.startKills.push(point),
    }),
    disk: scene.disk.port(life, {
      killChance: diskKillChance,
      onKill: (point) => void scene.diskKills.push(point),
    }),
    store: mortalStore(watched(scene), life, world, {
      random,
      killChance,
      faultChance,
      onKill: (point) => void scene.kills.push(point),
    }),
    folder: "/state",
    host: "simulated",
    env: { PATH: "/bin" },
    random: () => random.next(),
    killGraceMs: 5000,
    fingerprint: () => Promise.resolve(String(scene.truth.changes)),
    mergeTrees: async (merged) => scene.git.mergeTrees(merged),
    isOwnerAlive: async (owner: Owner) => scene.lives.get(owner.pid)?.isOver === false,
  });
}

/** The store, with a look at which tasks are done and when runs begin. */
function watched(scene: WorkScene): Store {
  const { store } = scene;
  return {
    ...store,
    create(run, owner, answers) {
      scene.begun.add(run.id);
      return store.create(run, owner, answers);
    },
    async updateTask(directory, id, update) {
      const written = await store.updateTask(directory, id, update);
      if (written?.status === "done") lookAtDone(scene, id);
      return written;
    },
  };
}

/** A task is stored as done: the checks of the project must have been green on what is there now. */
function lookAtDone({ truth, git, frozen, done }: WorkScene, id: string): void {
  done.add(id);
  if (!truth.greenTips.has(tipOf(truth, git, frozen.work.worktrees !== null))) truth.unverified.push(id);
}
