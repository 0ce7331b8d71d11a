import type { RunRecord, Store } from "../ports.ts";

/** What was asked of a run while nobody drove it: whether to cancel it, and up to which request is known. */
export type MissedRequests = { isCancelAsked: boolean; lastSeq: number };

/** Reads what was asked of a run since its former driver last looked. */
export async function missedRequests(
  { store }: { store: Pick<Store, "readRequests"> },
  { id, state }: Pick<RunRecord, "id" | "state">,
): Promise<MissedRequests> {
  const asked = await store.readRequests(id, state.lastRequestSeq);
  const isCancelAsked = asked.some(({ request }) => request === "cancel");
  return { isCancelAsked, lastSeq: asked.at(-1)?.seq ?? state.lastRequestSeq };
}
