import type { RunRecord, Store } from "../../shell/ports.ts";

/** Events behind the last one that are searched for words; an agent says something more often than that. */
const eventsMax = 500;

/** The agent's last message, without those of its sub-agents; null when it said nothing lately. */
export async function readLastWords(
  store: Pick<Store, "readAgentEvents">,
  { id }: Pick<RunRecord, "id">,
): Promise<string | null> {
  const last = await lastSeq(store, id);
  const events = await store.readAgentEvents(id, Math.max(0, last - eventsMax), eventsMax);
  const words = events.flatMap(({ event, effectId }) =>
    event.type === "text" && !event.isSub ? [{ text: event.text, message: `${effectId} ${event.messageId}` }] : [],
  );
  const message = words.at(-1)?.message;
  const text = words.map((each) => (each.message === message ? each.text : "")).join("");
  return text.trim() === "" ? null : text.trim();
}

/** The number of the last event, found without reading those before it. */
async function lastSeq(store: Pick<Store, "readAgentEvents">, runId: string): Promise<number> {
  const after = async (seq: number): Promise<number | null> =>
    (await store.readAgentEvents(runId, seq, 1))[0]?.seq ?? null;
  let known = 0;
  let limit = 1;
  for (let found = await after(0); found !== null; found = await after(limit)) {
    known = found;
    limit = 2 * found;
  }
  // No event is beyond the limit.
  while (known < limit) {
    const middle = Math.floor((known + limit) / 2);
    const found = await after(middle);
    if (found === null) limit = middle;
    else known = found;
  }
  return known;
}
