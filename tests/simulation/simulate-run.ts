import { isDeepStrictEqual } from "node:util";
import type { Gate } from "../../src/core/contract/gate.ts";
import type { OutcomeName } from "../../src/core/run/outcome.ts";
import type { Policy } from "../../src/core/run/policy.ts";
import type { FrozenRun } from "../../src/core/settings/run/frozen-run.ts";
import { parseSettings } from "../../src/core/settings/parse-settings.ts";
import type { Settings } from "../../src/core/settings/settings.ts";
import { runPolicy } from "../../src/core/settings/run/run-policy.ts";
import { resumeRun, type RunEnd, startRun } from "../../src/shell/drivers/start-run.ts";
import { cutAnswer, plainAnswer } from "../../src/core/run/gate-answer.ts";
import type { GateKind } from "../../src/shell/gates/gate-kind.ts";
import { guardrail } from "../../src/shell/gates/guardrail.ts";
import type { Owner, RunRecord, Store } from "../../src/shell/ports.ts";
import { wire } from "../../src/shell/wire.ts";
import { listAnswer, toyGate, verdict } from "../engine/play.ts";
import { checkJournal } from "./check-journal.ts";
import { endOf } from "./end-of-life.ts";
import { createDiskWorld } from "./fake-disk.ts";
import { createProcessWorld, type ProcessWorld } from "./fake-processes.ts";
import { type KillPoint, mortalStore } from "./mortal-store.ts";
import { connectionOf } from "./people.ts";
import { createRandom, type Random } from "./random.ts";
import { createRunStage, type Truth } from "./run-stage.ts";
import { createWorld, type Life, type World } from "./world.ts";

/** What one simulated run reached. */
export type Reached = {
  outcomes: OutcomeName[];
  effects: Set<string>;
  kills: KillPoint[];
  acts: Set<string>;
  lives: number;
};

type Scene = {
  random: Random;
  world: World;
  processes: ProcessWorld;
  truth: Truth;
  disk: ReturnType<typeof createDiskWorld>;
  store: Store;
  lives: Map<number, Life>;
  kills: KillPoint[];
  killChance: number;
  faultChance: number;
  toys: Gate[];
};

/** Lives at most: after so many deaths the killer rests, so that every run can end. */
const deathsMax = 6;

/**
 * One run from start to a final outcome, with the production drivers, wire and core on a simulated machine: the agent
 * lies, crashes and hangs, the disk fills, clocks jump, people ask, and the program is killed and resumed.
 * Throws when an invariant is broken.
 */
export async function simulateRun(seed: number, store: Store): Promise<Reached> {
  const random = createRandom(seed);
  const world = createWorld();
  const stage = createRunStage(random);
  const processes = createProcessWorld(world, random, stage);
  const disk = createDiskWorld(world, random, random.chance(0.2) ? 0.2 : 0);
  disk.files.put("/project/.git/HEAD", Buffer.from("ref: refs/heads/main\n"));
  const isDeadly = random.chance(0.5);
  const scene: Scene = {
    random,
    world,
    processes,
    truth: stage.truth,
    disk,
    store,
    lives: new Map(),
    kills: [],
    killChance: isDeadly ? 0.08 : 0,
    faultChance: random.chance(0.2) ? 0.02 : 0,
    toys: toysOf(random),
  };
  const outcomes: OutcomeName[] = [];
  let end = await live(scene, null);
  for (let deaths = 0; ;) {
    if (end === null) {
      deaths += 1;
      if (deaths >= deathsMax) Object.assign(scene, { killChance: 0, faultChance: 0 });
    } else {
      const outcome = await checkEnd(scene, end);
      outcomes.push(outcome);
      if (outcome === "completed" || outcome === "cancelled" || outcomes.length > 3 || random.chance(0.4)) break;
    }
    const [record] = await store.list({ directory: "/project", limit: 1 });
    end = record === undefined ? await live(scene, null) : await live(scene, record);
  }
  const [record] = await store.list({ directory: "/project", limit: 1 });
  const effects = record === undefined ? new Set<string>() : await checkJournal(store, record);
  return { outcomes, effects, kills: scene.kills, acts: stage.truth.actNames, lives: scene.lives.size };
}

/** One life of the program: starts or resumes the run. Resolves with its end, or null when it was killed or failed. */
async function live(scene: Scene, record: RunRecord | null): Promise<RunEnd | null> {
  const { random, world } = scene;
  const life: Life = { isOver: false, pid: 10 + scene.lives.size };
  scene.lives.set(life.pid, life);
  const machine = await machineOf(scene, life);
  const connection = connectionOf(scene, life);
  const running =
    record === null
      ? startRun(machine, frozenRun(random, scene.toys), connection)
      : resumeRun(machine, resumeOrder(random, record), connection);
  const end = await endOf(world, life, running);
  if (end === "fault") expectNoProcesses(scene, "after a fault of the store");
  return typeof end === "string" ? null : end;
}

function machineOf(scene: Scene, life: Life) {
  const { world, random, killChance, faultChance } = scene;
  const onKill = (point: KillPoint): void => void scene.kills.push(point);
  return wire({
    clock: world.clock(life),
    processes: scene.processes.port(life),
    disk: scene.disk.port(life, { killChance: 0, onKill: () => {} }),
    store: mortalStore(scene.store, life, world, { random, killChance, faultChance, onKill }),
    folder: "/state",
    host: "simulated",
    env: { PATH: "/bin" },
    gateKinds: kindsOf(scene),
    random: () => random.next(),
    killGraceMs: 5000,
    fingerprint: () => Promise.resolve(String(scene.truth.isFixed)),
    isOwnerAlive: async (owner: Owner) => scene.lives.get(owner.pid)?.isOver === false,
  });
}

/** The guardrails of the product, and toy gates of any shape that tell the truth most of the time they are asked. */
function kindsOf({ truth, random, world, toys }: Scene): readonly GateKind[] {
  const later = (signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      world.after(50, null, () => resolve(signal.aborted));
    });
  const toy: GateKind = {
    name: "toy",
    gatesOf: () => toys.map((gate) => ({ ...gate, spec: null })),
    open: () => async (order) => {
      const { gate, signal } = order;
      const isCut = (await later(signal)) && !gate.isAlways;
      if (isCut) return cutAnswer();
      if (gate.isAlways)
        return listAnswer({
          isComplete: truth.isFixed && random.chance(0.5),
          violations: random.chance(0.2) ? ["undone"] : [],
        });
      return plainAnswer([verdict(truth.isFixed && random.chance(0.8) ? 0 : 1)]);
    },
  };
  return [guardrail, toy];
}

/** Drawn once for each run: gates on a claim before or after delivery, and sometimes a list that claims. */
function toysOf(random: Random): Gate[] {
  return [
    ...(random.chance(0.15) ? [toyGate("list", { isAlways: true, tells: "notes" })] : []),
    ...(random.chance(0.2) ? [toyGate("criterion", { when: "on-claim", tells: "reason" })] : []),
    ...(random.chance(0.1) ? [toyGate("late", { when: "on-claim", isBeforeDelivery: false, tells: "notes" })] : []),
  ];
}

function frozenRun(random: Random, toys: readonly Gate[]): FrozenRun {
  const guardrails = Array.from({ length: 1 + random.below(2) }, (_, index) => ({
    command: `check ${index}`,
    failAction: "APPEND",
  }));
  const settings = parseSettings([
    {
      source: "simulation",
      value: {
        agent: { command: "claude", timeout: random.pick([null, "30s"]), idleTimeout: "20s", resultGrace: "2s" },
        guardrails,
        scm: random.chance(0.3) ? { command: "git", tasks: ["commit", "push", "pr"] } : null,
        completion: { requireProgress: random.chance(0.2) },
      },
    },
  ]);
  return {
    version: "0",
    projectDir: "/project",
    prompt: { kind: "text", text: "Fix it." },
    settings,
    settingsFiles: {},
    policy: policyOf(random, settings, toys),
    startCommit: null,
  };
}

/** Drawn anew for each run, but always with guardrails: they are where the truth is looked for. */
function policyOf(random: Random, settings: Settings, toys: readonly Gate[]): Policy {
  return {
    ...runPolicy(settings),
    iterationsMax: 1 + random.below(8),
    claimBy: toys.some(({ isAlways }) => isAlways) ? "gate" : "tag",
    failuresMax: random.pick([null, 2, 5]),
    unchangedMax: random.pick([null, null, 3]),
    budgetUsd: random.pick([null, null, 3]),
    budgetMs: random.pick([null, null, 60_000]),
  };
}

function resumeOrder(random: Random, record: RunRecord) {
  const more =
    record.state.policy.iterationsMax === null ? {} : { iterationsMax: record.state.iteration + 1 + random.below(3) };
  return {
    runId: record.id,
    answer: random.chance(0.3) ? "spaces" : null,
    change: record.outcome === null ? {} : { ...more, budgetUsd: null, budgetMs: null },
  };
}

/** The invariants a person would check after a run, against what is really true in the simulated world. */
async function checkEnd(scene: Scene, end: RunEnd): Promise<OutcomeName> {
  const { outcome, policy, iteration } = end.state;
  if (outcome === null) throw new Error("a run ended without an outcome");
  expectNoProcesses(scene, `after ${outcome.name}`);
  const { truth } = scene;
  if (outcome.name === "completed") {
    if (!truth.isFixed) throw new Error("completed, but the work is not done");
    if (policy.claimBy === "tag" && truth.lastAct?.claims !== true) throw new Error("completed without a claim");
    if (truth.lastAct?.exitCode !== undefined) throw new Error("a failed turn completed the run");
  }
  if (policy.iterationsMax !== null && iteration > policy.iterationsMax)
    throw new Error(`iteration ${iteration} is over the limit`);
  const [record] = await scene.store.find(end.id);
  if (!isDeepStrictEqual(record?.outcome, outcome)) throw new Error("the store and the driver disagree on the outcome");
  return outcome.name;
}

function expectNoProcesses({ processes }: Scene, when: string): void {
  const left = processes.living();
  if (left.length > 0) throw new Error(`processes are alive ${when}: ${JSON.stringify(left)}`);
}
