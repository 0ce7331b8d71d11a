import type { Effect } from "../run/effect.ts";
import type { Observation } from "../run/observation.ts";
import type { JournalNews, WorkStepNews } from "./journal-entry.ts";
import type { IterationView, RunView, ShownVerdict } from "./run-view.ts";

/** A view without its lists, which only grow. */
export type ViewFacts = Omit<RunView, "iterations" | "notes">;

/** What a change depends on: `last` is the iteration that is still open to changes, `count` how many there are with it. */
export type ViewEnd = { facts: ViewFacts; last: IterationView | null; count: number };

/** An iteration that begins, or the last one as it is now. */
export type ChangedIteration = { isNew: boolean; view: IterationView };

/** What one entry changes: the facts, at most one remark more, and at most the last iteration. */
export type ViewChange = {
  facts: ViewFacts;
  note: RunView["notes"][number] | null;
  iteration: ChangedIteration | null;
};

/** What an entry changes in a view. Every rule of the fold is here; whoever keeps the lists applies the change. */
export function changeBy(entry: JournalNews | WorkStepNews, { facts, last, count }: ViewEnd): ViewChange {
  if (entry.kind === "note")
    return { facts, note: { at: entry.at, level: entry.level, text: entry.text }, iteration: null };
  if (entry.kind === "work-step") return { facts: afterWorkStep(facts, entry), note: null, iteration: null };
  const { observation, effects, at } = entry;
  const opened = { ...facts, startedAt: facts.startedAt ?? at };
  const heard = afterNews(afterLimit(opened, observation, at), observation);
  return {
    facts: effects.reduce((current, effect) => afterOrder(current, effect, at), heard),
    note: null,
    iteration: iterationAfter(observation, { facts, last, count }),
  };
}

function afterOrder(facts: ViewFacts, effect: Effect, at: number): ViewFacts {
  if (effect.type === "set-timer" && effect.reason === "usage-limit") return { ...facts, limitSince: at };
  if (effect.type === "begin-turn") return { ...facts, next: nextOf(effect) };
  if (effect.type === "run-gate") return { ...facts, gate: effect.gate };
  return effect.type === "end-run" ? { ...withoutLimit(facts, at), outcome: effect.outcome, endedAt: at } : facts;
}

/** A work run has no turns of its own: its role runs have them. */
function afterWorkStep(facts: ViewFacts, { at, observation, effects }: WorkStepNews): ViewFacts {
  const opened = { ...facts, startedAt: facts.startedAt ?? at };
  const seen = observation.type === "work-resumed" ? { ...opened, outcome: null, endedAt: null } : opened;
  const end = effects.find((effect) => effect.type === "end-run");
  return end === undefined ? seen : { ...seen, outcome: end.outcome, endedAt: at };
}

/** A wait for a usage limit is over when its timer fires, when the run ends, or when a driver takes a dead run again. */
function afterLimit(facts: ViewFacts, { type }: Observation, at: number): ViewFacts {
  return type === "timer-fired" || type === "run-resumed" ? withoutLimit(facts, at) : facts;
}

function withoutLimit(facts: ViewFacts, at: number): ViewFacts {
  if (facts.limitSince === null) return facts;
  return { ...facts, limitMs: facts.limitMs + Math.max(0, at - facts.limitSince), limitSince: null };
}

function afterNews(facts: ViewFacts, { type }: Observation): ViewFacts {
  return type === "run-resumed" ? { ...facts, outcome: null, endedAt: null } : facts;
}

/** Entries of a version that knew no task lists name no assignment. */
function nextOf({ feedback, iteration, assignment }: Extract<Effect, { type: "begin-turn" }>): RunView["next"] {
  return { feedback, number: iteration, assignment: assignment ?? null };
}

/** The iteration that the news begins or changes; null: none. */
function iterationAfter(observation: Observation, end: ViewEnd): ChangedIteration | null {
  if (observation.type === "turn-started") return { isNew: true, view: begun(observation, end) };
  const { last } = end;
  const change = last === null ? null : changeOfLast(observation, last, end.facts.gate);
  return last === null || change === null ? null : { isNew: false, view: { ...last, ...change } };
}

function changeOfLast(
  observation: Observation,
  last: IterationView,
  gate: ViewFacts["gate"],
): Partial<IterationView> | null {
  switch (observation.type) {
    case "turn-ended":
      // A mere look starts no agent; what the last turn reported stays.
      if (observation.report.isSkipped && last.report?.isSkipped === false) return null;
      return { report: observation.report, endedAt: observation.at };
    case "gate-finished":
      return answerOf(observation, last, gate);
    case "delivery-finished":
      return { delivery: deliveryAfter(observation, last) };
    case "run-started":
    case "run-resumed":
    case "turn-started":
    case "turn-progressed":
    case "timer-fired":
    case "turn-unsettled":
    case "turn-reopened":
    case "asked":
      return null;
  }
}

function begun(
  observation: Extract<Observation, { type: "turn-started" }>,
  { facts: { next }, count }: ViewEnd,
): IterationView {
  return {
    number: next?.number ?? count + 1,
    effectId: observation.effectId,
    startedAt: observation.at,
    endedAt: null,
    assignment: next?.assignment ?? null,
    feedback: next?.feedback ?? [],
    report: null,
    guardrails: [],
    criteria: [],
    delivery: null,
    violations: [],
  };
}

/** A delivery that went on after a cut, and the final one, add to what the iteration delivered before. */
function deliveryAfter(
  { commit, problem }: Extract<Observation, { type: "delivery-finished" }>,
  { delivery: before }: IterationView,
): NonNullable<IterationView["delivery"]> {
  const problems = [before?.problem ?? null, problem].filter((each) => each !== null);
  return { commit: commit ?? before?.commit ?? null, problem: problems.length === 0 ? null : problems.join(" ") };
}

/** A gate asked again, after a cut or for another tree, replaces what it said before. */
function answerOf(
  { verdicts, word, isCut }: Extract<Observation, { type: "gate-finished" }>,
  last: IterationView,
  gate: ViewFacts["gate"],
): Partial<IterationView> | null {
  if (gate === null || isCut || gate.when === "before-first-turn") return null;
  const others = (list: ShownVerdict[]): ShownVerdict[] => list.filter((each) => each.gate !== gate.id);
  const shown = verdicts.map((verdict) => ({ ...verdict, gate: gate.id }));
  return {
    ...(gate.tells === "output" ? { guardrails: [...others(last.guardrails), ...shown] } : {}),
    ...(gate.tells === "reason" ? { criteria: [...others(last.criteria), ...shown] } : {}),
    violations: [...last.violations, ...(word?.notes ?? [])],
  };
}
