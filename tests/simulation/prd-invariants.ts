import { isDeepStrictEqual } from "node:util";
import { taskListGateId } from "../../src/core/contract/task-list.ts";
import type { OutcomeName } from "../../src/core/run/outcome.ts";
import type { FrozenRun } from "../../src/core/settings/run/frozen-run.ts";
import type { PrdRun } from "../../src/core/prd/prd-run.ts";
import { readTaskFile } from "../../src/core/prd/list/read-task-file.ts";
import type { TaskFile } from "../../src/core/prd/list/task-file.ts";
import { checkStanding } from "../../src/core/prd/list/task-file-rules.ts";
import type { TaskListState } from "../../src/core/prd/task-list-state.ts";
import type { RunEnd } from "../../src/shell/drivers/start-run.ts";
import type { Store } from "../../src/shell/ports.ts";
import { textOf } from "../../src/shell/prd/prd-work.ts";
import { asOwn } from "../../src/shell/lib/as-own.ts";
import type { DiskKill, DiskWorld } from "./fake-disk.ts";
import type { ProcessWorld } from "./fake-processes.ts";
import type { StartKill } from "./mortal-processes.ts";
import type { KillPoint } from "./mortal-store.ts";
import { list, type ListTruth, prdText } from "./prd-stage.ts";
import type { Random } from "./random.ts";
import type { Life, World } from "./world.ts";

/** A run on a task list on its simulated machine. */
export type PrdScene = {
  random: Random;
  world: World;
  disk: DiskWorld;
  processes: ProcessWorld;
  truth: ListTruth;
  store: Store;
  lives: Map<number, Life>;
  frozen: FrozenRun & { prd: PrdRun };
  /** The list as it last was at an end, or at the start. */
  known: TaskFile;
  /** The last attempt to put the list in order failed. */
  isUnmended: boolean;
  iterationsMax: number;
  kills: KillPoint[];
  diskKills: DiskKill[];
  startKills: StartKill[];
  killChance: number;
  diskKillChance: number;
  faultChance: number;
  isCancelled: boolean;
  turnsAtCancel: number;
};

type End = {
  scene: PrdScene;
  outcome: OutcomeName;
  /** The list on the disk; null when it is no list. */
  file: TaskFile | null;
  text: string | null;
  /** The list as the run remembers it. */
  copy: string;
  iteration: number;
  /** The disk was full when the list had to be put in order. */
  isUnmended: boolean;
};

type PrdInvariant = (end: End) => string | null;

/** What a person expects of a run on a task list, judged by what is true on the machine. */
export const prdInvariants = {
  "a story is approved only by a review that ended well on green checks, after its last change of code": (end) => {
    const { changes, reviews } = end.scene.truth;
    const isEarned = (id: string): boolean =>
      reviews.some((each) => each.taskId === id && each.areChecksGreen && each.startedAt > (changes.get(id) ?? 0));
    const wrong = end.file?.tasks.find(
      ({ id, reviewStatus, passes }) => (reviewStatus === "approved" || passes) && !isEarned(id),
    );
    return wrong === undefined || end.isUnmended ? null : `${wrong.id} is ${wrong.reviewStatus}`;
  },
  "completed means that every story is approved": ({ outcome, file }) => {
    if (outcome !== "completed") return null;
    const open = file?.tasks.find(({ reviewStatus, passes }) => reviewStatus !== "approved" || !passes);
    return file === null || file.tasks.length === 0 || open !== undefined ? `${open?.id ?? "all of it"} is open` : null;
  },
  "there are never more iterations than allowed": ({ scene, iteration }) => {
    if (iteration > scene.iterationsMax) return `iteration ${iteration} of ${scene.iterationsMax}`;
    // Each life may repeat the one turn whose end its predecessor did not see.
    const turnsMax = scene.iterationsMax + scene.lives.size - 1;
    return scene.truth.turns > turnsMax ? `${scene.truth.turns} turns, ${turnsMax} allowed` : null;
  },
  "the number of reviews never falls": ({ scene, file, isUnmended }) => {
    const fallen = scene.known.tasks.find(
      ({ id, reviewCount }) => (file?.tasks.find((task) => task.id === id)?.reviewCount ?? reviewCount) < reviewCount,
    );
    return fallen === undefined || isUnmended ? null : `that of ${fallen.id} was ${fallen.reviewCount}`;
  },
  "what was asked stays as it is": ({ scene, file, isUnmended }) => {
    const { known } = scene;
    if (isUnmended || file === null) return null;
    if (!isDeepStrictEqual(file.verifyCommands, known.verifyCommands)) return "the checks are others";
    const changed = known.tasks.find((task) => {
      const now = file.tasks.find(({ id }) => id === task.id);
      return !isDeepStrictEqual(now?.acceptanceCriteria, task.acceptanceCriteria);
    });
    return changed === undefined ? null : `${changed.id} asks for something else`;
  },
  "after the end no process is alive": ({ scene, outcome }) => {
    const [first] = scene.processes.living();
    return first === undefined ? null : `${first.pid} after ${outcome}`;
  },
  "after the end nothing says that a loop is at work": ({ scene, isUnmended }) =>
    scene.disk.files.look(`${list.top}/.ralph-active`) === null || isUnmended ? null : ".ralph-active is there",
  "a cancelled run stays cancelled": ({ scene, outcome }) => {
    if (!scene.isCancelled) return null;
    if (outcome !== "cancelled") return `it is ${outcome} now`;
    return scene.truth.turns > scene.turnsAtCancel ? "an agent was started after it" : null;
  },
  "the list is in order after every end": ({ scene, file, text, copy, isUnmended }) => {
    if (isUnmended) return null;
    if (file === null) return "it cannot be read";
    const [wrong] = checkStanding(file, { ...scene.frozen.prd.review, atCap: "hold" });
    if (wrong !== undefined) return wrong.message;
    if (text !== copy) return "it is not as the run remembers it";
    return scene.disk.files.text(`${list.folder}/prd.md`) === prdText ? null : "prd.md was rewritten";
  },
} satisfies Record<string, PrdInvariant>;

/** Holds every invariant against an ended run; throws with the name of one that is broken. */
export async function checkPrdEnd(scene: PrdScene, { id, state }: RunEnd): Promise<OutcomeName> {
  const { outcome, slots, iteration } = state;
  const tasks = asOwn<TaskListState | undefined>(slots[taskListGateId]);
  if (outcome === null || tasks === undefined) throw new Error("a run ended without an outcome or a list");
  const text = scene.disk.files.text(list.file);
  const file = readTaskFile(text ?? "").file ?? null;
  const copy = await textOf(scene.store, tasks.copy);
  const isUnmended = scene.disk.isSmall && scene.isUnmended;
  const facts = { scene, outcome: outcome.name, file, text, copy, iteration, isUnmended };
  for (const [title, invariant] of Object.entries<PrdInvariant>(prdInvariants)) {
    const problem = invariant(facts);
    if (problem !== null) throw new Error(`${title}: ${problem}`);
  }
  const [record] = await scene.store.find(id);
  if (!isDeepStrictEqual(record?.outcome, outcome)) throw new Error("the store and the driver disagree on the outcome");
  if (file !== null && !isUnmended) scene.known = file;
  if (outcome.name === "cancelled" && !scene.isCancelled)
    Object.assign(scene, { isCancelled: true, turnsAtCancel: scene.truth.turns });
  return outcome.name;
}
