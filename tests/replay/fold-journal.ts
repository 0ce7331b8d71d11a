import { decide } from "../../src/core/engine/decide.ts";
import type { Effect } from "../../src/core/engine/effect.ts";
import { newRun, type RunState } from "../../src/core/engine/state.ts";
import { canonicalJson } from "../../src/core/journal/canonical-json.ts";
import type { JournalEntry } from "../../src/core/journal/journal-entry.ts";
import type { RunRecord } from "../../src/shell/ports.ts";

/** The state that the journal alone gives, and where it gives other orders than the run had. */
export type Folded = { state: RunState; otherOrders: { seq: number; folded: Effect[]; stored: Effect[] }[] };

/**
 * Folds a journal through `decide`, from the first entry on; where a newer version took the run over, from the state
 * that its note holds.
 */
export function foldJournal(record: RunRecord, entries: readonly JournalEntry[]): Folded {
  const start = newRun(record.frozen.policy, firstTasks(record, entries));
  const folded = foldFrom(start, entries);
  if (record.parentId === null) return folded;
  // A role begins late in the life of its program; when it did is only seen from the time it used.
  return foldFrom({ ...start, lastUpMs: folded.state.usedMs - record.state.usedMs }, entries);
}

function foldFrom(start: RunState, entries: readonly JournalEntry[]): Folded {
  return entries.reduce<Folded>(
    ({ state, otherOrders }, entry) => {
      if (entry.kind === "note") return { state: entry.upgraded?.state ?? state, otherOrders };
      const [next, ordered] = decide(state, entry.observation);
      const isSame = canonicalJson(ordered) === canonicalJson(entry.effects);
      const other = { seq: entry.seq, folded: ordered, stored: entry.effects };
      return { state: next, otherOrders: isSame ? otherOrders : [...otherOrders, other] };
    },
    { state: start, otherOrders: [] },
  );
}

/** The list as it was before the first turn: the first repair compares with it. */
function firstTasks({ state }: RunRecord, entries: readonly JournalEntry[]): RunState["tasks"] {
  const effects = entries.flatMap((entry) => (entry.kind === "step" ? entry.effects : []));
  const repair = effects.find((effect) => effect.type === "repair-tasks");
  return repair === undefined ? state.tasks : repair.tasks;
}
