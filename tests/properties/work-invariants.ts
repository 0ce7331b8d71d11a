import { isDeepStrictEqual } from "node:util";
import type { Role } from "../../src/core/tasks/criteria/role.ts";
import { decideWork } from "../../src/core/work/decide-work.ts";
import type { WorkEffect } from "../../src/core/work/work-effect.ts";
import type { LedTask, WorkState } from "../../src/core/work/work-state.ts";
import type { DecideWork, WorkWalkStep } from "./work-walk.ts";

/** Says what is wrong with a walk, or null. Written against the rules, not against the code. */
export type WorkInvariant = (steps: readonly WorkWalkStep[], isEnded: boolean, decide: DecideWork) => string | null;

const everyStep =
  (wrong: (step: WorkWalkStep) => string | null): WorkInvariant =>
  (steps) =>
    steps.map(wrong).find((problem) => problem !== null) ?? null;

type StartRole = Extract<WorkEffect, { type: "start-role" }>;

/** What is in flight after each step: answered effects are gone, and a resume begins with none. */
function* flights(steps: readonly WorkWalkStep[]): Generator<{ step: WorkWalkStep; inFlight: WorkEffect[] }> {
  const inFlight = new Map<number, WorkEffect>();
  for (const step of steps) {
    const { observation, effects, before, after } = step;
    if (observation.type === "work-resumed" && before !== after) inFlight.clear();
    const isAnswer = "effectId" in observation && observation.type !== "role-progressed";
    if (isAnswer) inFlight.delete(observation.effectId);
    for (const effect of effects) inFlight.set(effect.id, effect);
    yield { step, inFlight: [...inFlight.values()] };
  }
}

function taskOf(state: WorkState, id: string): LedTask {
  const task = state.work.tasks.find((each) => each.id === id);
  if (task === undefined) throw new Error(`there is no task ${id}`);
  return task;
}

/** Roles of a task that were verified, by `task round`. */
function verifiedRoles(steps: readonly WorkWalkStep[]): Map<string, Set<Role>>[] {
  const starts = new Map<string, StartRole>();
  const verified = new Map<string, Set<Role>>();
  const add = (runId: string): void => {
    const start = starts.get(runId);
    if (start === undefined) return;
    const key = `${start.taskId} ${start.progress.round}`;
    verified.set(key, new Set([...(verified.get(key) ?? []), start.progress.role]));
  };
  return steps.map(({ observation, effects, before }) => {
    if (observation.type === "role-ended" && observation.end.outcome.name === "completed") {
      const task = before.work.tasks.find(
        ({ phase }) => phase.kind === "playing" && phase.effectId === observation.effectId,
      );
      if (task?.phase.kind === "playing") add(task.phase.runId);
    }
    if (observation.type === "work-resumed")
      for (const { runId, end } of observation.roles) if (end?.outcome.name === "completed") add(runId);
    for (const effect of effects) if (effect.type === "start-role") starts.set(effect.runId, effect);
    return new Map(verified);
  });
}

/** Gates that were green on the tip of each task since it was last merged or worked on. */
function greenGates(steps: readonly WorkWalkStep[]): Map<string, Set<string>>[] {
  const green = new Map<string, Set<string>>();
  const asked = new Map<number, Extract<WorkEffect, { type: "verify-tip" }>>();
  return steps.map(({ observation, effects, before, after }) => {
    const order = observation.type === "gate-finished" ? asked.get(observation.effectId) : undefined;
    if (observation.type === "gate-finished" && order !== undefined && before !== after) {
      const { verdicts, isCut, stop } = observation;
      const isGreen = !isCut && stop === null && verdicts.length > 0 && verdicts.every(({ isPassed }) => isPassed);
      const known = green.get(order.taskId) ?? new Set();
      if (isGreen) green.set(order.taskId, new Set([...known, order.gate.id]));
    }
    for (const effect of effects) {
      if (effect.type === "verify-tip") asked.set(effect.id, effect);
      if (effect.type === "merge-task" || effect.type === "start-role") green.delete(effect.taskId);
    }
    return new Map(green);
  });
}

/** Where ralph itself left the branch before each step: where it began, by a merge, or by an undo. */
function* leftTips(steps: readonly WorkWalkStep[]): Generator<{ step: WorkWalkStep; left: string | null }> {
  let left: string | null = null;
  for (const step of steps) {
    const { observation, before, after, isLost } = step;
    yield { step, left };
    if (isLost || before === after) continue;
    if (observation.type === "work-started") left = observation.tip?.commit ?? null;
    if (observation.type === "work-resumed") left ??= observation.tip?.commit ?? null;
    if (observation.type === "merge-undone") left = observation.tip ?? left;
    if (observation.type !== "task-merged" || observation.place === undefined) continue;
    const { head, base, merge } = observation.place;
    if (observation.problem === null && head === merge && base === left) left = head;
  }
}

/** Begins something new; the end of a run whose driver died, an undo and a clean-up finish what was begun. */
function isNew(effect: WorkEffect): boolean {
  if (effect.type === "start-role") return effect.start.kind !== "cancel";
  return ["open-place", "find-tip", "merge-task", "compare-tip", "verify-tip"].includes(effect.type);
}

/** Each with the words of its test. */
export const workChecks = {
  "the state of a work run survives JSON": everyStep(({ after }) =>
    isDeepStrictEqual(JSON.parse(JSON.stringify(after)), after) ? null : "state changed by a round trip through JSON",
  ),
  "decideWork is deterministic and does not mutate": (steps, _isEnded, decideHere) => {
    for (const { before, observation, after } of steps) {
      const kept = structuredClone(before);
      const [again] = decideHere(before, observation);
      if (!isDeepStrictEqual(before, kept)) return `${observation.type} mutated the state`;
      if (!isDeepStrictEqual(again, after)) return `${observation.type} decided differently the second time`;
    }
    return null;
  },
  "a task is merged only after all its roles were verified in this round": (steps) => {
    const verified = verifiedRoles(steps);
    for (const [index, { effects, after }] of steps.entries())
      for (const effect of effects) {
        if (effect.type !== "merge-task") continue;
        const round = taskOf(after, effect.taskId).progress?.round ?? 0;
        const known = verified[index]?.get(`${effect.taskId} ${round}`);
        const missing = after.work.rules.roles.find((role) => known?.has(role) !== true);
        if (missing !== undefined) return `${effect.taskId} was merged without its ${missing}`;
      }
    return null;
  },
  "a task of a work run is done only with every gate green on its tip": (steps) => {
    const green = greenGates(steps);
    for (const [index, { before, after }] of steps.entries())
      for (const task of after.work.tasks) {
        const former = before.work.tasks.find(({ id }) => id === task.id);
        if (task.isOver || !isDone(task) || (former !== undefined && isDone(former))) continue;
        const missing = after.work.rules.gates.find(({ id }) => green[index]?.get(task.id)?.has(id) !== true);
        if (missing !== undefined) return `${task.id} is done without ${missing.id}`;
      }
    return null;
  },
  "a task is merged only where ralph left its branch": (steps) => {
    for (const { step, left } of leftTips(steps)) {
      const { observation, effects } = step;
      if (observation.type !== "tip-found" || observation.place === undefined) continue;
      const { head, base, merge } = observation.place;
      const isOurs = head === left || (head === merge && base === left);
      if (!isOurs && effects.some(({ type }) => type === "merge-task")) return `merged onto ${head}, not onto ${left}`;
    }
    return null;
  },
  "a merged task is done only when its files were those of the commit before and after its gates": (steps) => {
    const same = new Map<string, number>();
    for (const { step, left } of leftTips(steps)) {
      const { observation, before, after, effects } = step;
      for (const effect of effects) if (effect.type === "merge-task") same.set(effect.taskId, 0);
      const compared = observation.type === "tip-compared" ? observation : null;
      const task = before.work.tasks.find(
        ({ phase }) => phase.kind === "comparing" && phase.effectId === compared?.effectId,
      );
      if (compared !== null && task !== undefined && compared.foreign.length === 0 && compared.place.head === left)
        same.set(task.id, (same.get(task.id) ?? 0) + 1);
      for (const each of after.work.tasks) {
        const former = before.work.tasks.find(({ id }) => id === each.id);
        const isNow = !each.isOver && isDone(each) && former !== undefined && !isDone(former);
        if (!isNow || each.place === null || after.work.rules.gates.length === 0) continue;
        if ((same.get(each.id) ?? 0) < 2) return `${each.id} is done, compared ${same.get(each.id) ?? 0} times`;
      }
    }
    return null;
  },
  "a work run that lost a verified merge does not complete": everyStep(({ observation, before, after }) => {
    const isLost = observation.type === "tip-found" && (observation.place?.lost.length ?? 0) > 0;
    const isEnd = before.outcome === null && after.outcome?.name === "completed";
    return isLost && isEnd ? "it completed" : null;
  }),
  "a work run never has more roles at work than slots": (steps) => {
    for (const { step, inFlight } of flights(steps)) {
      const playing = inFlight.filter(({ type }) => type === "start-role").length;
      if (playing > step.after.work.rules.jobs) return `${playing} roles at work`;
    }
    return null;
  },
  "a task of a work run begins only when what it waits for is done": everyStep(({ after, effects }) => {
    for (const effect of effects) {
      if (effect.type !== "open-place" && effect.type !== "start-role") continue;
      const { dependencies } = taskOf(after, effect.taskId);
      const early = dependencies.find((id) => !isDone(taskOf(after, id)));
      if (early !== undefined) return `${effect.taskId} began before ${early} was done`;
    }
    return null;
  }),
  "a work run merges its tasks in their order, one at a time": (steps) => {
    for (const { step, inFlight } of flights(steps)) {
      const onTip = inFlight.filter(({ type }) =>
        ["find-tip", "merge-task", "compare-tip", "verify-tip", "undo-merge"].includes(type),
      );
      if (onTip.length > 1) return `${onTip.length} tasks at the tip`;
      for (const effect of step.effects) {
        if (effect.type !== "merge-task") continue;
        const { tasks } = step.after.work;
        const earlier = tasks.slice(0, tasks.indexOf(taskOf(step.after, effect.taskId)));
        if (earlier.some(({ phase }) => phase.kind !== "ended")) return `${effect.taskId} was merged before its turn`;
      }
    }
    return null;
  },
  "after a cancel of a work run nothing new begins, and it ends cancelled": (steps, isEnded) => {
    const asked = steps.findIndex(
      ({ observation, before, isLost }) =>
        !isLost &&
        ((observation.type === "asked" && observation.request === "cancel" && before.outcome === null) ||
          (observation.type === "work-resumed" && observation.missed.isCancelAsked && !isFinalState(before))),
    );
    if (asked < 0) return null;
    const later = steps.slice(asked);
    const begun = later.flatMap(({ effects }) => effects.filter(isNew));
    if (begun.length > 0) return `${begun[0]?.type} was ordered after a cancel`;
    return isEnded && later.at(-1)?.after.outcome?.name !== "cancelled" ? "the cancel was forgotten" : null;
  },
  "budgets hold over all roles of a work run": everyStep(({ before, after, effects }) => {
    const { budgetUsd } = after.policy;
    if (budgetUsd === null || (after.spend.usd ?? 0) < budgetUsd) return null;
    const begun = effects.find(isNew);
    if (begun !== undefined) return `${begun.type} was ordered over the budget`;
    if (before.work.asked !== null || after.work.asked?.name !== "stopped" || after.outcome !== null) return null;
    const cut = new Set(effects.flatMap((effect) => (effect.type === "cut-role" ? [effect.effectId] : [])));
    const left = after.work.tasks.find(
      ({ phase }) =>
        phase.kind === "playing" && !cut.has(phase.effectId) && after.work.roles[phase.runId]?.isEnding !== true,
    );
    return left === undefined ? null : `the role of ${left.id} works on over the budget`;
  }),
  "a work run over its budget is stopped": everyStep(({ after }) => {
    const { budgetUsd } = after.policy;
    const isOver = budgetUsd !== null && (after.spend.usd ?? 0) >= budgetUsd;
    return isOver && after.work.asked === null && after.outcome === null ? "it goes on" : null;
  }),
  "an effect of a work run is answered at most once": (steps) => {
    const answered = new Set<number>();
    for (const { observation, before, after, isLost } of steps) {
      if (!("effectId" in observation) || observation.type === "role-progressed" || isLost) continue;
      const isHeard = !isDeepStrictEqual(before, after);
      if (isHeard && answered.has(observation.effectId)) return `effect ${observation.effectId} was answered twice`;
      if (isHeard) answered.add(observation.effectId);
    }
    return null;
  },
  "a role run that its driver left is resumed, never begun again": (steps) => {
    const starts = new Map<string, StartRole>();
    for (const { observation, before, after, effects } of steps) {
      if (observation.type === "work-resumed" && before !== after)
        for (const effect of effects) {
          if (effect.type !== "open-place") continue;
          const { progress } = taskOf(after, effect.taskId);
          const left = observation.roles.find(({ runId, end }) => {
            const start = starts.get(runId);
            const isSame = start?.progress.role === progress?.role && start?.progress.round === progress?.round;
            return end === null && start?.taskId === effect.taskId && isSame;
          });
          if (left !== undefined) return `${left.runId} was left behind`;
        }
      for (const effect of effects) if (effect.type === "start-role") starts.set(effect.runId, effect);
    }
    return null;
  },
  "the journal of a work run folds to its state": (steps, _isEnded, decideHere) => {
    const journal = steps.filter(({ isLost }) => !isLost);
    const [first] = journal;
    const last = journal.at(-1);
    if (first === undefined || last === undefined) return null;
    const folded = journal.reduce((state, { observation }) => decideHere(state, observation)[0], first.before);
    return isDeepStrictEqual(folded, last.after) ? null : "the fold gives another state";
  },
  "every work run ends": (_steps, isEnded) => (isEnded ? null : "the work run did not end"),
} satisfies Record<string, WorkInvariant>;

function isDone({ phase }: LedTask): boolean {
  return (phase.kind === "ended" || phase.kind === "clearing") && phase.end.status === "done";
}

function isFinalState({ outcome }: WorkState): boolean {
  return outcome?.name === "completed" || outcome?.name === "cancelled";
}

const plain: DecideWork = (state, observation) => decideWork(state, observation);

/** A `decideWork` whose state is changed before it decides. */
const seeing =
  (change: (state: WorkState) => WorkState): DecideWork =>
  (state, observation) =>
    plain(change(state), observation);

/** For each invariant a `decideWork` that breaks it: the proof that the invariant can fail. */
export const workPlants: Record<keyof typeof workChecks, DecideWork> = {
  "the state of a work run survives JSON": (state, observation) => {
    const [next, effects] = plain(state, observation);
    return [{ ...next, lastUpMs: Infinity }, effects];
  },
  "decideWork is deterministic and does not mutate": (state, observation) => {
    const [next, effects] = plain(state, observation);
    return [{ ...next, lastUpMs: next.lastUpMs + Math.random() }, effects];
  },
  "a task is merged only after all its roles were verified in this round": (state, observation) =>
    observation.type === "role-ended" && observation.end.outcome.name === "failed"
      ? plain(state, {
          ...observation,
          end: { ...observation.end, outcome: { name: "completed", reason: "" } },
        })
      : plain(state, observation),
  "a task of a work run is done only with every gate green on its tip": (state, observation) =>
    observation.type === "gate-finished"
      ? plain(state, { ...observation, verdicts: observation.verdicts.map((each) => ({ ...each, isPassed: true })) })
      : plain(state, observation),
  "a task is merged only where ralph left its branch": (state, observation) =>
    observation.type === "tip-found" && observation.place !== undefined
      ? plain(state, { ...observation, place: { ...observation.place, head: state.work.tip?.commit ?? null } })
      : plain(state, observation),
  "a merged task is done only when its files were those of the commit before and after its gates": (
    state,
    observation,
  ) => plain(state, observation.type === "tip-compared" ? { ...observation, foreign: [] } : observation),
  "a work run that lost a verified merge does not complete": (state, observation) =>
    observation.type === "tip-found" && observation.effectId === state.work.closingId && observation.place !== undefined
      ? plain(state, { ...observation, place: { ...observation.place, head: state.work.tip?.commit ?? null } })
      : plain(state, observation),
  "a work run never has more roles at work than slots": (state, observation) => {
    const { rules } = state.work;
    const [next, effects] = plain({ ...state, work: { ...state.work, rules: { ...rules, jobs: 9 } } }, observation);
    const { jobs } = next.work.rules;
    return [
      { ...next, work: { ...next.work, rules: { ...next.work.rules, jobs: jobs === 9 ? rules.jobs : jobs } } },
      effects,
    ];
  },
  "a task of a work run begins only when what it waits for is done": (state, observation) => {
    const lost = (next: WorkState): WorkState => ({
      ...next,
      work: {
        ...next.work,
        tasks: next.work.tasks.map((task) => ({ ...task, dependencies: [] })),
      },
    });
    const kept = new Map(state.work.tasks.map(({ id, dependencies }) => [id, dependencies]));
    const [next, effects] = plain(lost(state), observation);
    const tasks = next.work.tasks.map((task) => ({ ...task, dependencies: kept.get(task.id) ?? task.dependencies }));
    return [{ ...next, work: { ...next.work, tasks } }, effects];
  },
  "a work run merges its tasks in their order, one at a time": (state, observation) => {
    const { work } = state;
    const [next, effects] = plain({ ...state, work: { ...work, tasks: work.tasks.toReversed() } }, observation);
    const isNewList = observation.type === "work-started" || observation.type === "work-resumed";
    return [isNewList ? next : { ...next, work: { ...next.work, tasks: next.work.tasks.toReversed() } }, effects];
  },
  "after a cancel of a work run nothing new begins, and it ends cancelled": seeing((state) => ({
    ...state,
    isCancelAsked: false,
    work: { ...state.work, asked: state.work.asked?.name === "cancelled" ? null : state.work.asked },
  })),
  "budgets hold over all roles of a work run": (state, observation) => {
    const [next, effects] = plain(state, observation);
    return [next, effects.filter(({ type }) => type !== "cut-role")];
  },
  "a work run over its budget is stopped": (state, observation) => {
    const lifted = { ...state, policy: { ...state.policy, budgetUsd: null } };
    const [next, effects] = plain(lifted, observation);
    return [{ ...next, policy: state.policy }, effects];
  },
  "an effect of a work run is answered at most once": (state, observation) => {
    if (!("effectId" in observation)) return plain(state, observation);
    const [next, effects] = plain(state, observation);
    return [{ ...next, usedMs: next.usedMs + 1 }, effects];
  },
  "a role run that its driver left is resumed, never begun again": (state, observation) =>
    plain(state, observation.type === "work-resumed" ? { ...observation, roles: [] } : observation),
  "the journal of a work run folds to its state": (() => {
    let calls = 0;
    const counting: DecideWork = (state, observation) => {
      calls += 1;
      const [next, effects] = plain(state, observation);
      return [{ ...next, usedMs: calls }, effects];
    };
    return counting;
  })(),
  "every work run ends": (state, observation) => {
    const [next, effects] = plain(state, observation);
    return next.outcome?.name === "completed" ? [state, []] : [next, effects];
  },
};
