import type { Effect } from "../../src/core/run/effect.ts";
import type { WorkEffect } from "../../src/core/work/work-effect.ts";
import type { StepCommit, Store } from "../../src/shell/ports.ts";
import type { Random } from "./random.ts";
import { type Life, never, type World } from "./world.ts";

/** Where in the life of an effect the program was killed. */
export type KillPoint = `${"before" | "after"} ${EffectType}`;

type EffectType = (Effect | WorkEffect)["type"];

/** What the killer does to one life of the program. */
export type Killer = {
  random: Random;
  /** Chance that a commit is the last thing this life does. */
  killChance: number;
  /** Chance that the disk refuses a commit; the program notices and ends itself. */
  faultChance: number;
  onKill: (point: KillPoint) => void;
};

/**
 * The store as one life of the program sees it. A kill strikes before a commit is stored (the effect it answers was
 * carried out and is forgotten), or after (the effects it orders are stored and never carried out).
 */
export function mortalStore(store: Store, life: Life, world: World, killer: Killer): Store {
  let cutOrdered = false;
  let renewals = 0;
  // A disk that is sometimes full refuses every other renewal: no run may end by that.
  const isRenewable = (): boolean => killer.faultChance === 0 || ++renewals % 2 === 0;
  const die = (point: KillPoint): Promise<never> => {
    life.isOver = true;
    killer.onKill(point);
    return never();
  };
  const chanceFor = (type: EffectType): number => killer.killChance * (rareness.get(type) ?? 1);
  const lively =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      life.isOver ? never() : answerTo(life, world.busy(call(...args)));
  const commit = async (step: StepCommit): Promise<void> => {
    if (life.isOver) return never();
    const answered = answeredType(step, cutOrdered);
    if (answered !== null && killer.random.chance(chanceFor(answered))) return die(`after ${answered}`);
    if (killer.random.chance(killer.faultChance)) throw new Error("disk full");
    await world.busy(store.commit(step));
    cutOrdered = step.effects.some(({ type }) => type === "cut");
    const ordered = rarest(step.effects.map(({ type }) => type));
    if (ordered !== undefined && killer.random.chance(chanceFor(ordered))) return die(`before ${ordered}`);
    return life.isOver ? never() : undefined;
  };
  const release = async (runId: string, epoch: number): Promise<void> => {
    if (life.isOver) return never();
    if (killer.random.chance(killer.killChance)) return die("after end-run");
    return answerTo(life, world.busy(store.release(runId, epoch)));
  };
  return {
    create: lively((run, owner, answers) => store.create(run, owner, answers)),
    take: lively((runId, owner, answers) => store.take(runId, owner, answers)),
    renew: lively((lease) => (isRenewable() ? store.renew(lease) : Promise.reject(new Error("disk full")))),
    release,
    commit,
    note: lively((entry) => store.note(entry)),
    importRun: lively((run, journal, endedAt) => store.importRun(run, journal, endedAt)),
    appendAgentEvents: lively((lease, events) => store.appendAgentEvents(lease, events)),
    ask: lively((runId, request, at) => store.ask(runId, request, at)),
    readRequests: lively((runId, afterSeq) => store.readRequests(runId, afterSeq)),
    putBlob: lively((text) => store.putBlob(text)),
    getBlob: lively((hash) => store.getBlob(hash)),
    find: lively((runId) => store.find(runId)),
    list: lively((filter) => store.list(filter)),
    listUnusable: lively((filter) => store.listUnusable(filter)),
    readChain: lively((runId, afterSeq, limit) => store.readChain(runId, afterSeq, limit)),
    readJournal: lively((runId, afterSeq, limit) => store.readJournal(runId, afterSeq, limit)),
    readAgentEvents: lively((runId, afterSeq, limit) => store.readAgentEvents(runId, afterSeq, limit)),
    prune: lively((keep, now) => store.prune(keep, now)),
    putTasks: lively((directory, writes) => store.putTasks(directory, writes)),
    getTask: lively((directory, id) => store.getTask(directory, id)),
    listTasks: lively((directory) => store.listTasks(directory)),
    updateTask: lively((directory, id, update) => store.updateTask(directory, id, update)),
    removeTask: lively((directory, id, expected) => store.removeTask(directory, id, expected)),
    close: () => Promise.resolve(),
  };
}

/** Effects that are rare: the killer waits for them. */
const rareness = new Map<EffectType, number>([
  ["cut", 4],
  ["find-tip", 6],
  ["merge-task", 6],
  ["compare-tip", 6],
  ["verify-tip", 6],
  ["clear-place", 6],
  ["tell-role", 6],
  ["undo-merge", 16],
  ["cut-role", 10],
]);

/** Of several effects of one step the rarest, else the first. */
function rarest(types: readonly EffectType[]): EffectType | undefined {
  return types.toSorted((one, other) => (rareness.get(other) ?? 1) - (rareness.get(one) ?? 1))[0];
}

/** Someone who died while waiting hears nothing. */
async function answerTo<Result>(life: Life, work: Promise<Result>): Promise<Result> {
  const result = await work;
  return life.isOver ? never() : result;
}

/** Which effect this commit's observation is the answer to. */
function answeredType({ kind, observation }: StepCommit, cutOrdered: boolean): EffectType | null {
  switch (observation.type) {
    case "turn-started":
      return "begin-turn";
    case "turn-ended":
      return cutOrdered ? "cut" : "begin-turn";
    case "gate-finished":
      if (cutOrdered) return "cut";
      return kind === "work-step" ? "verify-tip" : "run-gate";
    case "delivery-finished":
      return "deliver";
    case "timer-fired":
      return "set-timer";
    case "place-opened":
      return "open-place";
    case "role-ended":
      return "start-role";
    case "tip-found":
      return "find-tip";
    case "task-merged":
      return "merge-task";
    case "tip-compared":
      return "compare-tip";
    case "merge-undone":
      return "undo-merge";
    case "place-cleared":
      return "clear-place";
    case "work-started":
    case "work-resumed":
    case "role-progressed":
    case "operation-failed":
    case "run-started":
    case "run-resumed":
    case "turn-progressed":
    case "asked":
    case "turn-unsettled":
    case "turn-reopened":
      return null;
  }
}
