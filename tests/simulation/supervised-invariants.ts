import { isDeepStrictEqual } from "node:util";
import type { OutcomeName } from "../../src/core/run/outcome.ts";
import type { FrozenRun } from "../../src/core/settings/run/frozen-run.ts";
import { readAll } from "../../src/shell/bus/read-bus.ts";
import type { RunEnd } from "../../src/shell/drivers/start-run.ts";
import type { Store } from "../../src/shell/ports.ts";
import type { DiskKill, DiskWorld } from "./fake-disk.ts";
import type { KillPoint } from "./mortal-store.ts";
import type { Random } from "./random.ts";
import type { TaskProcesses } from "./task-processes.ts";
import { task } from "./task-stage.ts";
import type { Life, World } from "./world.ts";

/** A supervised task on its simulated machine. */
export type SupervisedScene = {
  random: Random;
  world: World;
  disk: DiskWorld;
  processes: TaskProcesses;
  store: Store;
  lives: Map<number, Life>;
  frozen: FrozenRun;
  /** The DONE that was there before the run; null when there was none. */
  staleDone: string | null;
  /** Runs of the agent that people have allowed so far. */
  restartsMax: number;
  kills: KillPoint[];
  diskKills: DiskKill[];
  /** What the program said in its journal, over all its lives. */
  notes: string[];
  killChance: number;
  diskKillChance: number;
  faultChance: number;
  isCancelled: boolean;
  startsAtCancel: number;
};

type End = { scene: SupervisedScene; outcome: OutcomeName; isFull: boolean };

/** Says what is wrong after a run has ended, or null. Judged by what is true on the machine, not by what was recorded. */
type SupervisedInvariant = (end: End) => string | null;

/** What a person expects of a supervised run. */
export const supervisedInvariants = {
  "completed means that DONE is there, and with --fresh a new one": ({ scene, outcome }) => {
    if (outcome !== "completed") return null;
    const done = scene.disk.files.look(task.doneFile);
    if (done?.kind !== "file") return "there is no DONE";
    const isFresh = scene.frozen.supervised?.isFresh === true;
    return isFresh && done.identity === scene.staleDone ? "its DONE is older than the run" : null;
  },
  "completed means that no registered child is at work, or that the wait is named": ({ scene, outcome }) => {
    if (outcome !== "completed") return null;
    const active = scene.processes.living().filter(({ isRegistered }) => isRegistered);
    const isNamed = scene.notes.some((text) => text.startsWith("timeout waiting for children"));
    return active.length > 0 && !isNamed ? `child ${active[0]?.pid} is at work` : null;
  },
  "there are never more runs than restarts allowed": ({ scene }) => {
    // Each life may repeat the one run that its predecessor did not see the end of.
    const startsMax = scene.restartsMax + scene.lives.size - 1;
    const { length } = scene.processes.started;
    return length > startsMax ? `${length} runs, ${startsMax} allowed` : null;
  },
  "after the end no process is alive but those who may be": ({ scene, outcome }) => {
    const isKept = outcome === "waiting" || outcome === "interrupted";
    const mayChildrenLive = isKept || scene.frozen.supervised?.onChildTimeout === "orphan";
    const left = scene.processes
      .living()
      .filter(({ kind, isRegistered }) => kind !== "stranger" && !(isRegistered && mayChildrenLive));
    return left.length > 0 ? `${left.map(({ pid, kind }) => `${kind} ${pid}`).join(", ")} after ${outcome}` : null;
  },
  "a process of somebody else is left alone": ({ scene }) =>
    scene.processes.living().includes(scene.processes.stranger) ? null : "a stranger was ended",
  "the project hears of a completion once": ({ scene, outcome, isFull }) => {
    const files = scene.disk.port({ isOver: false, pid: 1 }, { killChance: 0, onKill: () => {} });
    const facts = readAll(task.projectBusFile, { files, isWanted: ({ type }) => type === "FACT" }).length;
    if (facts > 1) return `it heard ${facts} times`;
    return outcome === "completed" && facts === 0 && !isFull ? "it heard nothing" : null;
  },
  "DONE wins over a wish to wait": ({ scene, outcome }) =>
    outcome === "waiting" && scene.disk.files.look(task.doneFile)?.kind === "file" ? "it waits beside a DONE" : null,
  "a cancelled run stays cancelled": ({ scene, outcome }) => {
    if (!scene.isCancelled) return null;
    if (outcome !== "cancelled") return `it is ${outcome} now`;
    return scene.processes.started.length > scene.startsAtCancel ? "an agent was started after it" : null;
  },
} satisfies Record<string, SupervisedInvariant>;

/** Holds every invariant against an ended run; throws with the name of one that is broken. */
export async function checkSupervisedEnd(scene: SupervisedScene, end: RunEnd): Promise<OutcomeName> {
  const { outcome } = end.state;
  if (outcome === null) throw new Error("a run ended without an outcome");
  const { name } = outcome;
  const facts = { scene, outcome: name, isFull: scene.disk.isSmall };
  for (const [title, invariant] of Object.entries<SupervisedInvariant>(supervisedInvariants)) {
    const problem = invariant(facts);
    if (problem !== null) throw new Error(`${title}: ${problem}`);
  }
  const [record] = await scene.store.find(end.id);
  if (!isDeepStrictEqual(record?.outcome, outcome)) throw new Error("the store and the driver disagree on the outcome");
  if (name === "cancelled" && !scene.isCancelled)
    Object.assign(scene, { isCancelled: true, startsAtCancel: scene.processes.started.length });
  return name;
}
