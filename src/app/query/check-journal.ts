import { type ChainCheck, chainStart, endChain, followChain } from "../../core/journal/chain.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { sha256 } from "../../shell/stores/sha256.ts";

/** Entries read at a time: a long journal is never held whole. */
const pageSize = 500;

/** Whether the journal of a run is unchanged; its evidence depends on it. */
export async function checkJournal({ store }: Pick<Machine, "store">, { id }: RunRecord): Promise<ChainCheck> {
  for (let walk = chainStart; ;) {
    const { links, head } = await store.readChain(id, walk.seq, pageSize);
    walk = followChain(walk, links, sha256);
    // A living run writes on: only with nothing after them do the entries followed end at the head.
    if (links.length === 0 || walk.broken !== null) return endChain(walk, head);
  }
}
