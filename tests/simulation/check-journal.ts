import { isDeepStrictEqual } from "node:util";
import { decide } from "../../src/core/engine/decide.ts";
import { newRun, type RunState } from "../../src/core/run/state.ts";
import type { RunRecord, Store } from "../../src/shell/ports.ts";

/**
 * The journal alone, replayed from where the run began, must give the stored state and the stored orders. Returns the
 * kinds of effects in it.
 */
export async function checkJournal(
  store: Store,
  record: RunRecord,
  start: RunState = newRun(record.frozen.policy),
): Promise<Set<string>> {
  const effects = new Set<string>();
  const entries = await store.readJournal(record.id, 0, 100_000);
  const last = entries.reduce((state, entry) => {
    if (entry.kind === "note") return state;
    const [next, ordered] = decide(state, entry.observation);
    if (!isDeepStrictEqual(ordered, entry.effects))
      throw new Error(`replay of ${entry.observation.type} gives other orders`);
    for (const { type } of ordered) effects.add(type);
    return next;
  }, start);
  if (!isDeepStrictEqual(last, record.state)) throw new Error("replaying the journal does not give the stored state");
  return effects;
}
