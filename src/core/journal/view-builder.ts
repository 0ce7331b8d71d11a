import type { JournalNews, WorkStepNews } from "./journal-entry.ts";
import { emptyView, type IterationView, type RunView } from "./run-view.ts";
import { changeBy, type ViewFacts } from "./view-change.ts";

/** Builds the view of a run in place: the same view as `foldEntry` gives, without a copy of the lists for each entry. */
export type ViewBuilder = {
  add(entry: JournalNews | WorkStepNews): void;
  /** The view of all entries so far; it is not to be read after a further `add`. */
  view(): RunView;
};

/**
 * Begins a view. With `onPast` an iteration is handed over as soon as a later one begins, for no entry changes it any more,
 * and the view keeps only the last one: a journal of any length needs the same memory.
 */
export function createViewBuilder(onPast?: (iteration: IterationView) => void): ViewBuilder {
  const { iterations: none, notes: silence, ...noFacts } = emptyView;
  const [iterations, notes] = [[...none], [...silence]];
  let facts: ViewFacts = noFacts;
  let count = 0;
  const begin = (iteration: IterationView): void => {
    count += 1;
    const past = onPast === undefined ? undefined : iterations.pop();
    if (past !== undefined) onPast?.(past);
    iterations.push(iteration);
  };
  return {
    add: (entry) => {
      const change = changeBy(entry, { facts, last: iterations.at(-1) ?? null, count });
      facts = change.facts;
      if (change.note !== null) notes.push(change.note);
      if (change.iteration === null) return;
      if (change.iteration.isNew) begin(change.iteration.view);
      else iterations[iterations.length - 1] = change.iteration.view;
    },
    view: () => ({ ...facts, notes, iterations }),
  };
}
