import { isDeepStrictEqual } from "node:util";
import { decide } from "../../src/core/engine/decide.ts";
import type { Effect } from "../../src/core/run/effect.ts";
import type { Observation } from "../../src/core/run/observation.ts";
import type { RunState } from "../../src/core/run/state.ts";
import type { Decide, WalkStep } from "./walk.ts";

/** Says what is wrong with a walk, or null. Written from the rule's words, not from the code. */
export type Invariant = (steps: readonly WalkStep[], isEnded: boolean, decide: Decide) => string | null;

const everyStep =
  (wrong: (step: WalkStep) => string | null): Invariant =>
  (steps) =>
    steps.map(wrong).find((problem) => problem !== null) ?? null;

/** A cancel ends things; gates that no way out of a turn leaves out still run. */
function isAfterCancel(effect: Effect): boolean {
  return effect.type === "cut" || effect.type === "end-run" || (effect.type === "run-gate" && effect.gate.isAlways);
}

/** Each named by the sentence it checks. */
const checks = {
  "state survives JSON": everyStep(({ after }) =>
    isDeepStrictEqual(JSON.parse(JSON.stringify(after)), after) ? null : "state changed by a round trip through JSON",
  ),
  "decide is deterministic and does not mutate": (steps, _isEnded, decideHere) => {
    for (const { before, observation, after } of steps) {
      const kept = structuredClone(before);
      const [again] = decideHere(before, observation);
      if (!isDeepStrictEqual(before, kept)) return `${observation.type} mutated the state`;
      if (!isDeepStrictEqual(again, after)) return `${observation.type} decided differently the second time`;
    }
    return null;
  },
  "at most one turn is alive": (steps) => {
    let alive: number | null = null;
    for (const { observation, effects, before, after } of steps) {
      if (observation.type === "run-resumed") alive = null;
      if (observation.type === "turn-ended" && observation.effectId === alive && before !== after) alive = null;
      for (const effect of effects) {
        if (effect.type !== "begin-turn") continue;
        if (alive !== null) return `turn ${effect.id} began while turn ${alive} was alive`;
        alive = effect.id;
      }
    }
    return null;
  },
  "every turn is judged once": (steps) => {
    const judged = new Set<number>();
    for (const { observation, before, after } of steps) {
      if (observation.type !== "turn-ended" || isDeepStrictEqual(before, after)) continue;
      if (judged.has(observation.effectId)) return `turn ${observation.effectId} was judged twice`;
      judged.add(observation.effectId);
    }
    return null;
  },
  "iterations never exceed the budget": everyStep(({ after, effects }) => {
    const { iterationsMax } = after.policy;
    if (iterationsMax === null) return null;
    if (after.iteration > iterationsMax) return `iteration ${after.iteration} of ${iterationsMax}`;
    const over = effects.find((effect) => effect.type === "begin-turn" && effect.iteration > iterationsMax);
    return over === undefined ? null : `a turn beyond ${iterationsMax} was ordered`;
  }),
  "after end-run only run-resumed is heard": everyStep(({ before, observation, after, effects }) => {
    if (before.outcome === null || observation.type === "run-resumed") return null;
    return effects.length === 0 && isDeepStrictEqual(before, after)
      ? null
      : `${observation.type} was heard after the end`;
  }),
  "a stale answer changes nothing": everyStep(({ before, observation, after, effects }) => {
    if (!("effectId" in observation) || (before.pending?.id === observation.effectId && !before.isHeld)) return null;
    return effects.length === 0 && isDeepStrictEqual(before, after)
      ? null
      : `a stale ${observation.type} had an effect`;
  }),
  "completed implies a claim and every gate green in the same iteration": (steps) => {
    const end = steps.findIndex(({ after }) => after.outcome?.name === "completed");
    return end < 0 ? null : completedWrongly(steps.slice(0, end + 1));
  },
  "completed speaks for the tree that was delivered": (steps) => {
    const last = steps.findIndex(({ after }) => after.outcome?.name === "completed");
    const final = steps[last];
    if (final === undefined || final.observation.type !== "delivery-finished") return null;
    const { tree = null } = final.observation;
    const { candidate } = final.before.facts;
    if (candidate === null || tree === null) return null;
    if (tree !== candidate) return `${tree} was delivered, ${candidate} was checked`;
    const asked = steps.slice(0, last).flatMap(({ effects }) => effects.filter(({ type }) => type === "run-gate"));
    const since = final.before.policy.gates.filter(({ when }) => when !== "before-first-turn").length;
    const wrong = asked
      .slice(asked.length - since)
      .find((effect) => effect.type === "run-gate" && effect.candidate !== tree);
    return wrong === undefined ? null : "a gate was asked about another tree";
  },
  "completed implies that no commit of its iteration failed": (steps) => {
    const end = steps.findIndex(({ after }) => after.outcome?.name === "completed");
    const final = steps[end];
    const failed = steps.slice(0, end).find(({ before, observation }) => {
      if (observation.type !== "delivery-finished" || observation.isUncommitted !== true || observation.isCut)
        return false;
      return before.pending?.id === observation.effectId && before.iteration === final?.before.iteration;
    });
    return failed === undefined ? null : "what was checked was not committed";
  },
  "the final delivery comes when only the end is missing": (steps) => {
    const ordered = steps.findIndex(({ effects }) =>
      effects.some((effect) => effect.type === "deliver" && effect.of === "completion"),
    );
    return ordered < 0 ? null : completedWrongly(steps.slice(0, ordered + 1));
  },
  "cancel always ends the run and nothing undoes it": (steps, isEnded) => {
    const asked = steps.findIndex(
      ({ observation, before }) =>
        observation.type === "asked" && observation.request === "cancel" && before.outcome === null,
    );
    if (asked < 0) return null;
    const later = steps.slice(asked);
    const orders = later.flatMap(({ effects }) => effects.filter((effect) => !isAfterCancel(effect)));
    if (orders.length > 0) return `${orders[0]?.type} was ordered after a cancel`;
    return isEnded && later.at(-1)?.after.outcome?.name !== "cancelled" ? "the cancel was forgotten" : null;
  },
  "every run ends": (_steps, isEnded) => (isEnded ? null : "the run did not end"),
  "a first turn all of whose edits were denied ends the run": everyStep(({ before, observation, after }) => {
    if (observation.type !== "turn-ended" || observation.report.tools.deniedChanges === 0 || observation.report.isCut)
      return null;
    if (before.iteration !== 1 || before.pending?.id !== observation.effectId || before.isHeld || before.isCancelAsked)
      return null;
    if (before.unsettled !== null) return null;
    return (after.outcome ?? after.ending?.outcome)?.name === "failed" ? null : "a fully denied first turn went on";
  }),
  "the end of a turn its host has not settled is not believed": everyStep(({ before, observation, after }) => {
    const { unsettled, policy } = before;
    if (policy.settling === null || unsettled === null || before.outcome !== null || before.ending !== null)
      return null;
    if (observation.type !== "turn-ended" || before.pending?.id !== observation.effectId) return null;
    if (before.isHeld || observation.report.startError !== null || observation.report.timedOut === "wall") return null;
    const isOver = observation.at >= unsettled.until || observation.at - unsettled.since >= policy.settling.longestMs;
    return isOver || after.facts.report === null ? null : "a turn was judged while its host was not done with it";
  }),
  "no turn and no end follows a turn before every gate that always runs": (steps) => {
    let due: string[] = [];
    for (const { before, after, observation, effects } of steps) {
      const asked = before.pending?.type === "run-gate" ? before.pending.gate.id : null;
      if (observation.type === "gate-finished" && before !== after) due = due.filter((id) => id !== asked);
      const leaves = effects.find(({ type }) => type === "begin-turn" || type === "end-run");
      if (due.length > 0 && leaves !== undefined) return `${leaves.type} was ordered while ${due.join(", ")} was due`;
      if (observation.type === "turn-started" && before !== after)
        due = after.policy.gates.filter(({ isAlways }) => isAlways).map(({ id }) => id);
    }
    return null;
  },
  "the state stays small": everyStep(({ after }) =>
    JSON.stringify(after).length < 64 * 1024 ? null : "the state is too large",
  ),
} satisfies Record<string, Invariant>;

/** Reads the last iteration's news backwards from the end of a completed run. */
function completedWrongly(steps: readonly WalkStep[]): string | null {
  const { policy } = steps.at(-1)!.after;
  const news = steps.filter(({ before, after }) => before !== after && !isDeepStrictEqual(before, after));
  const begin = news.findLastIndex(isTurnBegin);
  const ends = news.slice(begin).map(({ observation }) => observation);
  const turn = ends.findLast((each) => each.type === "turn-ended");
  if (turn === undefined) return "completed without a turn";
  const { claims, result, exitCode, supervised, isSkipped } = turn.report;
  const isFailed = !isSkipped && (result === "error" || (result === "none" && exitCode !== 0));
  if (isFailed && policy.claimBy !== "done-file") return "a failed turn completed";
  const usesResponse = policy.signals.includes("response") && claims.response !== null;
  const isTagged = usesResponse ? claims.response === "DONE" : policy.signals.includes("promise") && claims.isPromised;
  // Gates that were cut off are asked again after a resume; only their last answer counts.
  const answers = lastAnswers(news.slice(begin));
  const isListed = [...answers.values()].some(({ word }) => word?.isClaim === true);
  // A run that judges stops goes on after each of them.
  const isClaim = { "done-file": supervised?.isDone === true, gate: isListed, tag: isTagged, stop: false }[
    policy.claimBy
  ];
  if (!isClaim) return "completed without a claim";
  for (const gate of policy.gates.filter(({ when }) => when !== "before-first-turn")) {
    const verdicts = answers.get(gate.id)?.verdicts ?? [];
    if (verdicts.length === 0) return `completed without a verdict of ${gate.id}`;
    if (verdicts.some(({ isPassed }) => !isPassed)) return `completed with a red verdict of ${gate.id}`;
  }
  return null;
}

/** The last whole answer of each gate in these steps. */
function lastAnswers(steps: readonly WalkStep[]): Map<string, GateFinished> {
  return new Map(
    steps.flatMap(({ before, observation }) =>
      observation.type === "gate-finished" && !observation.isCut && before.pending?.type === "run-gate"
        ? [[before.pending.gate.id, observation] as const]
        : [],
    ),
  );
}

type GateFinished = Extract<Observation, { type: "gate-finished" }>;

/** A turn that was skipped, and another look at one, have no start of their own. */
function isTurnBegin({ observation, before }: WalkStep): boolean {
  if (observation.type === "turn-ended" && before.pending?.type === "begin-turn" && before.pending.isRecheck)
    return true;
  return observation.type === "turn-started" || (observation.type === "turn-ended" && observation.report.isSkipped);
}

/** For each invariant a `decide` that breaks it: the proof that the invariant can fail. */
const plantedFaults: Record<keyof typeof checks, Decide> = {
  "state survives JSON": (state, observation) => {
    const [next, effects] = decide(state, observation);
    return [{ ...next, lastUpMs: Infinity }, effects];
  },
  "decide is deterministic and does not mutate": (state, observation) => {
    const [next, effects] = decide(state, observation);
    return [{ ...next, lastUpMs: next.lastUpMs + Math.random() }, effects];
  },
  "at most one turn is alive": (state, observation) => {
    const [next, effects] = decide(state, observation);
    const first = effects.find((effect) => effect.type === "begin-turn");
    return [next, first === undefined ? effects : [...effects, { ...first, id: first.id + 1000 }]];
  },
  "every turn is judged once": (state, observation) => {
    if (observation.type !== "turn-ended") return decide(state, observation);
    return decide(
      {
        ...state,
        outcome: null,
        pending: state.pending === null ? null : { ...state.pending, id: observation.effectId },
      },
      observation,
    );
  },
  "iterations never exceed the budget": (state, observation) => {
    const lifted = { ...state, policy: { ...state.policy, iterationsMax: null } };
    const [next, effects] = decide(lifted, observation);
    return [{ ...next, policy: state.policy }, effects];
  },
  "after end-run only run-resumed is heard": (state, observation) => decide({ ...state, outcome: null }, observation),
  "a stale answer changes nothing": (state, observation) => decide(withAwaited(state, observation), observation),
  "completed implies a claim and every gate green in the same iteration": (state, observation) => {
    if (observation.type !== "gate-finished") return decide(state, observation);
    return decide(state, {
      ...observation,
      verdicts: observation.verdicts.map((verdict) => ({ ...verdict, isPassed: true })),
    });
  },
  "completed speaks for the tree that was delivered": (state, observation) =>
    observation.type === "delivery-finished"
      ? decide({ ...state, facts: { ...state.facts, candidate: observation.tree ?? null } }, observation)
      : decide(state, observation),
  "completed implies that no commit of its iteration failed": (state, observation) =>
    observation.type === "delivery-finished"
      ? decide(state, { ...observation, isUncommitted: false })
      : decide(state, observation),
  "the final delivery comes when only the end is missing": (state, observation) => {
    const [next, effects] = decide(state, observation);
    return [next, effects.map((effect) => (effect.type === "deliver" ? { ...effect, of: "completion" } : effect))];
  },
  "cancel always ends the run and nothing undoes it": (state, observation) => {
    // The cut is ordered, but the next answer undoes the request.
    const [next, effects] = decide({ ...state, isCancelAsked: false, ending: null }, observation);
    return [{ ...next, isCancelAsked: false, ending: null }, effects];
  },
  "every run ends": (state, observation) => {
    const [next, effects] = decide(state, observation);
    return next.outcome?.name === "exhausted" || next.outcome?.name === "stopped" ? [state, []] : [next, effects];
  },
  "a first turn all of whose edits were denied ends the run": (state, observation) => {
    if (observation.type !== "turn-ended") return decide(state, observation);
    const tools = { ...observation.report.tools, deniedChanges: 0 };
    return decide(state, { ...observation, report: { ...observation.report, tools } });
  },
  "the end of a turn its host has not settled is not believed": (state, observation) =>
    observation.type === "turn-ended" ? decide({ ...state, unsettled: null }, observation) : decide(state, observation),
  "no turn and no end follows a turn before every gate that always runs": (state, observation) =>
    decide({ ...state, dueGates: [] }, observation),
  "the state stays small": (state, observation) => {
    const [next, effects] = decide(state, observation);
    return [{ ...next, deliveryProblem: "x".repeat(70_000) }, effects];
  },
};

function withAwaited(state: RunState, observation: Observation): RunState {
  if (!("effectId" in observation) || state.pending === null) return state;
  return { ...state, isHeld: false, pending: { ...state.pending, id: observation.effectId } };
}

/** The invariants of the engine, each with a `decide` that breaks it. */
export const invariants: Record<string, { invariant: Invariant; faulty: Decide }> = Object.fromEntries(
  Object.entries(plantedFaults).map(([name, faulty]) => [name, { faulty, invariant: invariantNamed(name) }]),
);

function invariantNamed(name: string): Invariant {
  const found = Object.entries(checks).find(([each]) => each === name);
  if (found === undefined) throw new Error(`no invariant is called "${name}"`);
  return found[1];
}
