import { checkJournal as checkStored } from "../../src/app/query/check-journal.ts";
import type { RunRecord, Store } from "../../src/shell/ports.ts";

/**
 * The journal alone, replayed from where the run began, must give the stored state and the stored orders. Returns the
 * kinds of effects in it.
 */
export async function checkJournal(store: Store, record: RunRecord): Promise<Set<string>> {
  const check = await checkStored({ store }, record);
  if (!check.isIntact || !check.isReplayed || check.unreplayed > 0)
    throw new Error(`the journal of run ${record.id} does not replay: ${JSON.stringify(check)}`);
  const entries = await store.readJournal(record.id, 0, check.entries);
  return new Set(
    entries.flatMap((entry) => (entry.kind === "note" ? [] : entry.effects.map(({ type }): string => type))),
  );
}
