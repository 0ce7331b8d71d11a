import { isDeepStrictEqual } from "node:util";
import { decide } from "../../src/core/engine/decide.ts";
import type { JournalEntry } from "../../src/core/journal/journal-entry.ts";
import { newRun, type RunState } from "../../src/core/run/state.ts";
import { decideWork } from "../../src/core/work/decide-work.ts";
import { newWork, type WorkState } from "../../src/core/work/work-state.ts";
import type { RunRecord, Store } from "../../src/shell/ports.ts";

/**
 * The journal alone, replayed from where the run began, must give the stored state and the stored orders. Returns the
 * kinds of effects in it.
 */
export function checkJournal(
  store: Store,
  record: RunRecord,
  start: RunState = newRun(record.frozen.policy),
): Promise<Set<string>> {
  return check(store, record, {
    start,
    decide: (state: RunState, entry) => (entry.kind === "step" ? decide(state, entry.observation) : null),
  });
}

/** The same for a work run. */
export function checkWorkJournal(store: Store, record: RunRecord): Promise<Set<string>> {
  return check(store, record, {
    start: newWork(record.frozen.policy),
    decide: (state: WorkState, entry) => (entry.kind === "work-step" ? decideWork(state, entry.observation) : null),
  });
}

type Engine<State> = {
  start: State;
  /** Null: the entry is no step of this engine. */
  decide: (state: State, entry: JournalEntry) => [State, { type: string }[]] | null;
};

async function check<State>(store: Store, record: RunRecord, engine: Engine<State>): Promise<Set<string>> {
  const effects = new Set<string>();
  const entries = await store.readJournal(record.id, 0, 100_000);
  const last = entries.reduce((state, entry) => {
    if (entry.kind === "note") return state;
    const [next, ordered] = engine.decide(state, entry) ?? [state, []];
    if (!isDeepStrictEqual(ordered, entry.effects))
      throw new Error(`replay of ${entry.observation.type} gives other orders`);
    for (const { type } of ordered) effects.add(type);
    return next;
  }, engine.start);
  if (!isDeepStrictEqual(last, record.state)) throw new Error("replaying the journal does not give the stored state");
  return effects;
}
