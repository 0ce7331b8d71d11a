import type { TurnReport } from "../agents/turn-report.ts";
import type { Verdict } from "../verification/verdict.ts";
import type { Gate } from "../contract/gate.ts";
import type { Effect } from "../run/effect.ts";
import type { Observation } from "../run/observation.ts";
import type { Outcome } from "../run/outcome.ts";
import type { Feedback } from "../run/feedback.ts";
import type { Assignment } from "../contract/assignment.ts";
import type { JournalNews, WorkStepNews } from "./journal-entry.ts";

/** A verdict with the gate it belongs to. */
export type ShownVerdict = Verdict & { gate: string };

/**
 * One iteration as people see it. A turn repeated after a crash is an iteration view of its own with the same number.
 *
 * @example
 * ```ts
 * import { type IterationView } from "ralph";
 *
 * const redChecks = ({ guardrails }: IterationView): string[] =>
 *   guardrails.filter(({ isPassed }) => !isPassed).map(({ name }) => name);
 * console.log(typeof redChecks);
 * ```
 */
export type IterationView = {
  number: number;
  effectId: number;
  startedAt: number;
  endedAt: number | null;
  /** What the agent was, and on which task, in a run with a task list. */
  assignment: Assignment | null;
  /** What the prompt told the agent about the iteration before. */
  feedback: Feedback[];
  report: TurnReport | null;
  /** Checks told by their output, in the order they ran. */
  guardrails: ShownVerdict[];
  /** Checks told by their reason. */
  criteria: ShownVerdict[];
  delivery: { commit: string | null; problem: string | null } | null;
  /** Illegal edits of the task list that were undone after the turn. */
  violations: string[];
};

/**
 * What every view of a run reads: a fold of its journal.
 *
 * @example
 * ```ts
 * import { emptyView, type RunView } from "ralph";
 *
 * const tookMs = ({ startedAt, endedAt }: RunView): number => (endedAt ?? Date.now()) - (startedAt ?? Date.now());
 * console.log(tookMs(emptyView));
 * ```
 */
export type RunView = {
  startedAt: number | null;
  endedAt: number | null;
  iterations: IterationView[];
  outcome: Outcome | null;
  notes: { at: number; level: "info" | "warning"; text: string }[];
  /** The order of the turn being prepared, until its process starts. */
  next: Pick<IterationView, "feedback" | "number" | "assignment"> | null;
  /** The gate in flight, or the last one. */
  gate: Gate | null;
};

/**
 * A run nothing is known of.
 *
 * @example
 * ```ts
 * import { emptyView, foldEntry, type JournalNews } from "ralph";
 *
 * const journal: JournalNews[] = [{ kind: "note", at: 0, level: "info", text: "A remark." }];
 * console.log(journal.reduce(foldEntry, emptyView).notes.length); // 1
 * ```
 */
export const emptyView: RunView = {
  startedAt: null,
  endedAt: null,
  iterations: [],
  gate: null,
  outcome: null,
  notes: [],
  next: null,
};

/**
 * Adds one entry to the view; the whole view is `entries.reduce(foldEntry, emptyView)`.
 *
 * @example
 * ```ts
 * import { emptyView, foldEntry, runLoop } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * let view = emptyView;
 * for await (const event of loop.events) if (event.kind === "entry") view = foldEntry(view, event.entry);
 * console.log(view.outcome?.name, view.iterations.length);
 * ```
 */
export function foldEntry(view: RunView, entry: JournalNews | WorkStepNews): RunView {
  if (entry.kind === "note")
    return { ...view, notes: [...view.notes, { at: entry.at, level: entry.level, text: entry.text }] };
  if (entry.kind === "work-step") return foldWorkStep(view, entry);
  const seen = see({ ...view, startedAt: view.startedAt ?? entry.at }, entry.observation);
  return entry.effects.reduce<RunView>((current, effect) => {
    if (effect.type === "begin-turn") return { ...current, next: nextOf(effect) };
    if (effect.type === "run-gate") return { ...current, gate: effect.gate };
    return effect.type === "end-run" ? { ...current, outcome: effect.outcome, endedAt: entry.at } : current;
  }, seen);
}

/** A work run has no turns of its own: its role runs have them. */
function foldWorkStep(view: RunView, { at, observation, effects }: WorkStepNews): RunView {
  const opened = { ...view, startedAt: view.startedAt ?? at };
  const seen = observation.type === "work-resumed" ? { ...opened, outcome: null, endedAt: null } : opened;
  const end = effects.find((effect) => effect.type === "end-run");
  return end === undefined ? seen : { ...seen, outcome: end.outcome, endedAt: at };
}

/** Entries of a version that knew no task lists name no assignment. */
function nextOf({ feedback, iteration, assignment }: Extract<Effect, { type: "begin-turn" }>): RunView["next"] {
  return { feedback, number: iteration, assignment: assignment ?? null };
}

function see(view: RunView, observation: Observation): RunView {
  switch (observation.type) {
    case "run-resumed":
      return { ...view, outcome: null, endedAt: null };
    case "turn-started":
      return { ...view, iterations: [...view.iterations, begun(view, observation)] };
    case "turn-ended":
      // A mere look starts no agent; what the last turn reported stays.
      if (observation.report.isSkipped && view.iterations.at(-1)?.report?.isSkipped === false) return view;
      return withLast(view, { report: observation.report, endedAt: observation.at });
    case "gate-finished":
      return withAnswer(view, observation);
    case "delivery-finished":
      return withLast(view, { delivery: withDelivery(view, observation) });
    case "run-started":
    case "turn-progressed":
    case "timer-fired":
    case "turn-unsettled":
    case "turn-reopened":
    case "asked":
      return view;
  }
}

function begun(view: RunView, observation: Extract<Observation, { type: "turn-started" }>): IterationView {
  return {
    number: view.next?.number ?? view.iterations.length + 1,
    effectId: observation.effectId,
    startedAt: observation.at,
    endedAt: null,
    assignment: view.next?.assignment ?? null,
    feedback: view.next?.feedback ?? [],
    report: null,
    guardrails: [],
    criteria: [],
    delivery: null,
    violations: [],
  };
}

/** A delivery that went on after a cut, and the final one, add to what the iteration delivered before. */
function withDelivery(
  view: RunView,
  { commit, problem }: Extract<Observation, { type: "delivery-finished" }>,
): NonNullable<IterationView["delivery"]> {
  const before = view.iterations.at(-1)?.delivery ?? null;
  const problems = [before?.problem ?? null, problem].filter((each) => each !== null);
  return { commit: commit ?? before?.commit ?? null, problem: problems.length === 0 ? null : problems.join(" ") };
}

/** A gate asked again, after a cut or for another tree, replaces what it said before. */
function withAnswer(
  view: RunView,
  { verdicts, word, isCut }: Extract<Observation, { type: "gate-finished" }>,
): RunView {
  const { gate } = view;
  const last = view.iterations.at(-1);
  if (gate === null || last === undefined || isCut || gate.when === "before-first-turn") return view;
  const others = (list: ShownVerdict[]): ShownVerdict[] => list.filter((each) => each.gate !== gate.id);
  const shown = verdicts.map((verdict) => ({ ...verdict, gate: gate.id }));
  return withLast(view, {
    ...(gate.tells === "output" ? { guardrails: [...others(last.guardrails), ...shown] } : {}),
    ...(gate.tells === "reason" ? { criteria: [...others(last.criteria), ...shown] } : {}),
    violations: [...last.violations, ...(word?.notes ?? [])],
  });
}

function withLast(view: RunView, change: Partial<IterationView>): RunView {
  const last = view.iterations.at(-1);
  if (last === undefined) return view;
  return { ...view, iterations: [...view.iterations.slice(0, -1), { ...last, ...change }] };
}
