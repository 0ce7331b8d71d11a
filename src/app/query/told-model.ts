import type { RunRecord, Store } from "../../shell/ports.ts";

/** Agents name their model before anything else. */
const eventsMax = 20;

/** The model that the agent named when it first started; null when it named none. */
export async function readToldModel(
  store: Pick<Store, "readAgentEvents">,
  { id }: Pick<RunRecord, "id">,
): Promise<string | null> {
  const events = await store.readAgentEvents(id, 0, eventsMax);
  return events.flatMap(({ event }) => (event.type === "session" ? (event.model ?? []) : []))[0] ?? null;
}
