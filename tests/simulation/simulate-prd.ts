import type { OutcomeName } from "../../src/core/run/outcome.ts";
import { parseSettings } from "../../src/core/settings/parse-settings.ts";
import { prdPolicy, prdSettings } from "../../src/core/settings/run/prd-policy.ts";
import { readTaskFile } from "../../src/core/prd/list/read-task-file.ts";
import { resumeRun, type RunEnd, startRun } from "../../src/shell/drivers/start-run.ts";
import type { Machine } from "../../src/shell/machine.ts";
import type { Owner, RunRecord, Store } from "../../src/shell/ports.ts";
import type { RunSink } from "../../src/shell/sinks/sink.ts";
import { wire } from "../../src/shell/wire.ts";
import { taskFileText, story } from "../prd/sample-task-file.ts";
import { checkJournal } from "./check-journal.ts";
import { endOf } from "./end-of-life.ts";
import { createDiskWorld, type DiskKill } from "./fake-disk.ts";
import { createProcessWorld } from "./fake-processes.ts";
import { mortalProcesses, type StartKill } from "./mortal-processes.ts";
import { type KillPoint, mortalStore } from "./mortal-store.ts";
import { connectionOf } from "./people.ts";
import { checkPrdEnd, type PrdScene } from "./prd-invariants.ts";
import { createPrdStage, list, prdText } from "./prd-stage.ts";
import { createRandom, type Random } from "./random.ts";
import { createWorld, type Life, passTime } from "./world.ts";

/** What one simulated run on a task list reached. */
export type PrdReached = {
  outcomes: OutcomeName[];
  effects: Set<string>;
  kills: KillPoint[];
  diskKills: DiskKill[];
  startKills: StartKill[];
  acts: Set<string>;
};

/** Puts a fault into the machine, to show that an invariant notices it. */
export type PrdPlant = (machine: Machine, scene: PrdScene) => Machine;

/** Deaths at most; after them the killer rests, so that every run can end. */
const deathsMax = 6;

/** Endings at most that a person resumes. */
const endingsMax = 4;

/**
 * One run on a task list from start to a final outcome, with the production drivers, gate and core on a simulated
 * machine: agents implement, review, fix and cheat in every way they can; the program is killed around every effect,
 * every change of the disk and every process it starts, and resumed. Throws when an invariant is broken.
 */
export async function simulatePrd(
  seed: number,
  store: Store,
  plant: PrdPlant = (machine) => machine,
): Promise<PrdReached> {
  const scene = openScene(seed, store);
  const outcomes: OutcomeName[] = [];
  for (let deaths = 0; ;) {
    const end = await live(scene, plant);
    // An agent whose driver died works on for a while.
    if (scene.random.chance(0.5)) await passTime(scene.world, scene.random.below(5000));
    if (end === null) {
      deaths += 1;
      if (deaths >= deathsMax) Object.assign(scene, { killChance: 0, diskKillChance: 0, faultChance: 0 });
      continue;
    }
    const outcome = await checkPrdEnd(scene, end);
    outcomes.push(outcome);
    if (outcomes.length > endingsMax) break;
    // A final outcome is met once more: nothing may come of it.
    const isFinal = outcome === "completed" || outcome === "cancelled";
    if (isFinal ? outcomes.at(-2) === outcome : scene.random.chance(0.2)) break;
  }
  const record = await recordOf(scene);
  const effects = record === null ? new Set<string>() : await checkJournal(store, record);
  const { kills, diskKills, startKills, truth } = scene;
  return { outcomes, effects, kills, diskKills, startKills, acts: truth.actNames };
}

function openScene(seed: number, store: Store): PrdScene {
  const random = createRandom(seed);
  const world = createWorld();
  const disk = createDiskWorld(world, random, random.chance(0.15) ? 0.05 : 0);
  const text = listText(random);
  disk.files.put(list.file, Buffer.from(text));
  disk.files.put(`${list.folder}/prd.md`, Buffer.from(prdText));
  disk.files.put(`${list.folder}/prompt.md`, Buffer.from("{{ROLE}} of {{TASK}}\n"));
  const stage = createPrdStage(disk.files, random);
  const isDeadly = random.chance(0.5);
  const frozen = frozenRun(random);
  const known = readTaskFile(text).file;
  if (known === undefined) throw new Error("the simulated list is no list");
  return {
    random,
    world,
    disk,
    processes: createProcessWorld(world, random, stage),
    truth: stage.truth,
    store,
    lives: new Map(),
    frozen,
    known,
    isUnmended: false,
    iterationsMax: frozen.policy.iterationsMax ?? 0,
    kills: [],
    diskKills: [],
    startKills: [],
    killChance: isDeadly ? 0.05 : 0,
    diskKillChance: isDeadly ? 0.01 : 0,
    faultChance: random.chance(0.2) ? 0.01 : 0,
    isCancelled: false,
    turnsAtCancel: 0,
  };
}

/** One to three stories, some of which wait for the one before. */
function listText(random: Random): string {
  const ids = ["A", "B", "C"].slice(0, 1 + random.below(3));
  const stories = ids.map((id, index) => {
    const former = ids[index - 1];
    return story(id, { priority: index + 1, dependsOn: former !== undefined && random.chance(0.5) ? [former] : [] });
  });
  return taskFileText(stories, { verifyCommands: ["check"] });
}

function frozenRun(random: Random): PrdScene["frozen"] {
  const agent = { command: "claude", idleTimeout: "20s", resultGrace: "2s" };
  const given = { iterations: 2 + random.below(12), verifyCommands: ["check"] };
  const settings = prdSettings(parseSettings([{ source: "simulation", value: { agent } }]), given);
  const review = {
    isReviewSkipped: false,
    reviewCap: 1 + random.below(4),
    atCap: random.pick(["approve", "hold"] as const),
  };
  return {
    version: "0",
    projectDir: list.top,
    prompt: { kind: "file", path: `${list.folder}/prompt.md` },
    settings,
    settingsFiles: {},
    policy: prdPolicy(settings),
    startCommit: null,
    prd: { folder: { path: list.folder, name: "ralph" }, review, reviewer: settings.review.agent, prd: prdText },
  };
}

/** One life of the program: starts or resumes the run. Null when it was killed or a fault ended it. */
async function live(scene: PrdScene, plant: PrdPlant): Promise<RunEnd | null> {
  const life: Life = { isOver: false, pid: 10 + scene.lives.size };
  scene.lives.set(life.pid, life);
  const machine = plant(await machineOf(scene, life), scene);
  const connection = { ...connectionOf(scene, life), sink: repairSink(scene) };
  const record = await recordOf(scene);
  const running =
    record === null
      ? startRun(machine, scene.frozen, connection)
      : resumeRun(machine, resumeOrder(scene, record), connection);
  const end = await endOf(scene.world, life, running);
  const isAgentLeft = scene.processes.living().some(({ isAgent }) => isAgent);
  if (end === "fault" && isAgentLeft) throw new Error("an agent is alive after a fault of the store");
  return typeof end === "string" ? null : end;
}

function repairSink(scene: PrdScene): RunSink {
  return {
    agentEvent: () => {},
    entry: (entry) => {
      if (entry.kind !== "step" || entry.observation.type !== "gate-finished") return;
      const { slot, stop } = entry.observation;
      // Only the gate of the list has a memory, and only it ends a run as failed.
      if (slot !== null || stop?.name === "failed") scene.isUnmended = slot === null;
    },
  };
}

async function recordOf({ store }: PrdScene): Promise<RunRecord | null> {
  const [record] = await store.list({ directory: list.top, limit: 1 });
  return record ?? null;
}

function machineOf(scene: PrdScene, life: Life): Promise<Machine> {
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
    fingerprint: () => Promise.reject(new Error("a run on a task list looks at the tree itself")),
    isOwnerAlive: async (owner: Owner) => scene.lives.get(owner.pid)?.isOver === false,
  });
}

function resumeOrder(scene: PrdScene, { id, outcome, state }: RunRecord) {
  if (outcome === null) return { runId: id, answer: null, change: {} };
  const iterationsMax = state.iteration + 1 + scene.random.below(6);
  scene.iterationsMax = Math.max(scene.iterationsMax, iterationsMax);
  return { runId: id, answer: null, change: { iterationsMax } };
}
