import { type ChainCheck, checkChain } from "../../core/journal/chain.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { sha256 } from "../../shell/stores/sha256.ts";

/** Whether the journal of a run is unchanged; its evidence depends on it. */
export async function checkJournal({ store }: Pick<Machine, "store">, run: RunRecord): Promise<ChainCheck> {
  const { links, head } = await store.readChain(run.id);
  return checkChain(links, head, sha256);
}
