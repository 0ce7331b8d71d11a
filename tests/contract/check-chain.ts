import { type ChainCheck, chainStart, endChain, followChain } from "../../src/core/journal/chain.ts";
import type { Store } from "../../src/shell/ports.ts";
import { sha256 } from "../../src/shell/stores/sha256.ts";

/** What the hashes of a short journal say. */
export async function checkChain(store: Store, runId: string): Promise<ChainCheck> {
  const { links, head } = await store.readChain(runId, 0, 1000);
  return endChain(followChain(chainStart, links, sha256), head);
}
