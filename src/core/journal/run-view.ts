import type { TurnReport } from "../agents/turn-report.ts";
import type { Verdict } from "../verification/verdict.ts";
import type { Gate } from "../contract/gate.ts";
import type { Outcome } from "../run/outcome.ts";
import type { Feedback } from "../run/feedback.ts";
import type { Assignment } from "../contract/assignment.ts";
import type { JournalNews, WorkStepNews } from "./journal-entry.ts";
import { changeBy, type ChangedIteration } from "./view-change.ts";

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
  /** Time spent waiting for usage limits to end, without a wait that is not over. */
  limitMs: number;
  /** Since when it waits for a usage limit to end. */
  limitSince: number | null;
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
  limitMs: 0,
  limitSince: null,
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
  const { iterations, notes, ...facts } = view;
  const change = changeBy(entry, { facts, last: iterations.at(-1) ?? null, count: iterations.length });
  return {
    ...change.facts,
    notes: change.note === null ? notes : [...notes, change.note],
    iterations: withIteration(iterations, change.iteration),
  };
}

function withIteration(iterations: IterationView[], changed: ChangedIteration | null): IterationView[] {
  if (changed === null) return iterations;
  return [...(changed.isNew ? iterations : iterations.slice(0, -1)), changed.view];
}
