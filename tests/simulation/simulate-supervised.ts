import type { OutcomeName } from "../../src/core/run/outcome.ts";
import type { FrozenRun } from "../../src/core/settings/run/frozen-run.ts";
import { parseSettings } from "../../src/core/settings/parse-settings.ts";
import { supervisedSettings, supervisePolicy } from "../../src/core/settings/run/supervise-policy.ts";
import { resumeRun, type RunEnd, startRun } from "../../src/shell/drivers/start-run.ts";
import type { Machine } from "../../src/shell/machine.ts";
import type { Owner, RunRecord, Store } from "../../src/shell/ports.ts";
import { wire } from "../../src/shell/wire.ts";
import { checkJournal } from "./check-journal.ts";
import { endOf } from "./end-of-life.ts";
import { createDiskWorld, type DiskKill } from "./fake-disk.ts";
import { type KillPoint, mortalStore } from "./mortal-store.ts";
import { connectionOf } from "./people.ts";
import { createRandom, type Random } from "./random.ts";
import { checkSupervisedEnd, type SupervisedScene } from "./supervised-invariants.ts";
import { createTaskProcesses, type TaskProcesses } from "./task-processes.ts";
import { createTaskStage, ids, task } from "./task-stage.ts";
import { createWorld, type Life } from "./world.ts";

/** What one simulated supervised run reached. */
export type SupervisedReached = {
  outcomes: OutcomeName[];
  effects: Set<string>;
  kills: KillPoint[];
  diskKills: DiskKill[];
  acts: Set<string>;
};

/** Puts a fault into the machine, to show that an invariant notices it. */
export type Plant = (machine: Machine, scene: SupervisedScene) => Machine;

/** Deaths at most; after them the killer rests, so that every run can end. */
const deathsMax = 6;

/** Endings at most that a person resumes. */
const endingsMax = 3;

/**
 * One supervised run from start to a final outcome, with the production drivers, wire and core on a simulated machine:
 * agents speak by files, exit codes and the bus, spoil records and leave children; the program is killed around every
 * effect and every change of the disk, and resumed. Throws when an invariant is broken.
 */
export async function simulateSupervised(
  seed: number,
  store: Store,
  plant: Plant = (machine) => machine,
): Promise<SupervisedReached> {
  const scene = openScene(seed, store);
  const outcomes: OutcomeName[] = [];
  for (let deaths = 0; ;) {
    const end = await live(scene, plant);
    if (end === null) {
      deaths += 1;
      if (deaths >= deathsMax) Object.assign(scene, { killChance: 0, diskKillChance: 0, faultChance: 0 });
      continue;
    }
    const outcome = await checkSupervisedEnd(scene, end);
    outcomes.push(outcome);
    if (outcomes.length > endingsMax) break;
    // A final outcome is met once more: nothing may come of it.
    const isFinal = outcome === "completed" || outcome === "cancelled";
    if (isFinal ? outcomes.at(-2) === outcome : scene.random.chance(0.3)) break;
  }
  const record = await recordOf(scene);
  const effects = record === null ? new Set<string>() : await checkJournal(store, record);
  const { kills, diskKills, processes } = scene;
  return { outcomes, effects, kills, diskKills, acts: processes.actNames };
}

function openScene(seed: number, store: Store): SupervisedScene {
  const random = createRandom(seed);
  const world = createWorld();
  const disk = createDiskWorld(world, random, random.chance(0.15) ? 0.05 : 0);
  const lives = new Map<number, Life>();
  const isLifeAlive = (pid: number): boolean => lives.get(pid)?.isOver === false;
  const known: { processes?: TaskProcesses } = {};
  const living = (): TaskProcesses => known.processes!;
  const stage = createTaskStage({
    world,
    random,
    disk,
    isLifeAlive,
    isAlive: ({ pid }) =>
      living()
        .living()
        .some((each) => each.pid === pid),
    remove: (process) => living().remove(process),
    stranger: () => living().stranger,
  });
  const processes = createTaskProcesses(world, random, stage);
  known.processes = processes;
  // The stranger was there long before anything that may name it.
  world.jump(3_600_000);
  const isDeadly = random.chance(0.5);
  const frozen = frozenRun(random);
  disk.files.makeFolder(task.path);
  const isStale = random.chance(0.15);
  if (isStale) disk.files.put(task.doneFile, Buffer.alloc(0));
  world.jump(60_000);
  return {
    random,
    world,
    disk,
    processes,
    store,
    lives,
    frozen,
    staleDone: isStale ? (disk.files.look(task.doneFile)?.identity ?? null) : null,
    restartsMax: frozen.policy.iterationsMax ?? 0,
    kills: [],
    diskKills: [],
    notes: [],
    killChance: isDeadly ? 0.06 : 0,
    diskKillChance: isDeadly ? 0.015 : 0,
    faultChance: random.chance(0.2) ? 0.02 : 0,
    isCancelled: false,
    startsAtCancel: 0,
  };
}

/** One life of the program: starts or resumes the run. Null when it was killed or a fault ended it. */
async function live(scene: SupervisedScene, plant: Plant): Promise<RunEnd | null> {
  const life: Life = { isOver: false, pid: 10 + scene.lives.size };
  scene.lives.set(life.pid, life);
  const machine = plant(await machineOf(scene, life), scene);
  const connection = connectionOf(scene, life);
  const sink = {
    agentEvent: () => {},
    entry: (entry: { kind: string; text?: string }) => {
      if (entry.kind === "note" && entry.text !== undefined) scene.notes.push(entry.text);
    },
  };
  const record = await recordOf(scene);
  const running =
    record === null
      ? startRun(machine, scene.frozen, { ...connection, sink })
      : resumeRun(machine, resumeOrder(scene, record), { ...connection, sink });
  const end = await endOf(scene.world, life, running);
  const isAgentLeft = scene.processes.living().some(({ kind }) => kind === "agent");
  if (end === "fault" && isAgentLeft) throw new Error("an agent is alive after a fault of the store");
  return typeof end === "string" ? null : end;
}

async function recordOf({ store }: SupervisedScene): Promise<RunRecord | null> {
  const [record] = await store.list({ directory: task.path, limit: 1 });
  return record ?? null;
}

function machineOf(scene: SupervisedScene, life: Life): Promise<Machine> {
  const { world, random, killChance, faultChance, diskKillChance } = scene;
  return wire({
    clock: world.clock(life),
    processes: scene.processes.port(life),
    liveness: scene.processes.liveness,
    disk: scene.disk.port(life, {
      killChance: diskKillChance,
      onKill: (point) => void scene.diskKills.push(point),
    }),
    store: mortalStore(scene.store, life, world, {
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
    fingerprint: () => Promise.resolve(""),
    isOwnerAlive: async (owner: Owner) => scene.lives.get(owner.pid)?.isOver === false,
  });
}

function frozenRun(random: Random): FrozenRun {
  const settings = supervisedSettings(
    parseSettings([
      { source: "simulation", value: { agent: { command: "agent" }, children: { wait: random.pick(["5s", "20s"]) } } },
    ]),
  );
  const policy = supervisePolicy(settings, {
    restartsMax: 1 + random.below(6),
    restartDelayMs: random.pick([0, 1000]),
    turnIdleMs: null,
    turnWallMs: 30_000,
  });
  const supervised = {
    taskDir: task.path,
    ...ids,
    pollMs: random.pick([2000, 5000]),
    onChildTimeout: random.pick(["terminate", "terminate", "orphan"] as const),
    flags: [],
    isFresh: random.chance(0.7),
  };
  const prompt = { kind: "text" as const, text: "Build the shop." };
  return {
    version: "0",
    projectDir: "/project",
    prompt,
    settings,
    settingsFiles: {},
    policy,
    startCommit: null,
    supervised,
  };
}

function resumeOrder(scene: SupervisedScene, { id, outcome, state }: RunRecord) {
  if (outcome === null) return { runId: id, answer: null, change: {} };
  // A person who resumes has removed what nobody could read.
  if (scene.disk.files.look(task.doneFile)?.kind === "folder") scene.disk.files.removeFolder(task.doneFile);
  const iterationsMax = state.iteration + 1 + scene.random.below(3);
  scene.restartsMax = Math.max(scene.restartsMax, iterationsMax);
  return { runId: id, answer: null, change: { iterationsMax } };
}
