import type { AgentEvent } from "../../core/agents/agent-event.ts";
import type { AgentEventRecord, Clock, Lease, Store } from "../ports.ts";
import { cutAgentEvent } from "../stores/cut-agent-event.ts";

/** Collects agent events of a run and stores them in batches, apart from the journal. Losing one never matters. */
export type EventBuffer = {
  add(event: AgentEvent, effectId: number): void;
  /** Stores what is left. Must not reject: a fault is returned for the journal. */
  close(): Promise<string | null>;
};

/** A batch is written after a second, or earlier when it grows: `ralph logs -f` stays near, the disk stays calm. */
const batchMs = 1000;
const batchEventsMax = 500;
/** Events kept of one turn. */
const turnEventsMax = 5000;

type EventLease = Pick<Lease, "runId" | "epoch">;

/** For one driver of a run: what comes after another one took the run is refused. */
export function createEventBuffer(store: Store, clock: Clock, lease: EventLease): EventBuffer {
  const closed = new AbortController();
  let batch: Omit<AgentEventRecord, "runId" | "seq">[] = [];
  let writing = Promise.resolve();
  let waiting: Promise<unknown> | null = null;
  let fault: string | null = null;
  const counts = new Map<number, number>();
  const flush = (): void => {
    if (batch.length === 0) return;
    const records = batch;
    batch = [];
    writing = writing.then(() =>
      store.appendAgentEvents(lease, records).catch((cause: unknown) => {
        fault ??= `agent events were not stored: ${String(cause)}`;
      }),
    );
  };
  const flushLater = async (): Promise<void> => {
    await clock.wait(batchMs, closed.signal);
    waiting = null;
    flush();
  };
  return {
    add(event, effectId) {
      const number = (counts.get(effectId) ?? 0) + 1;
      counts.set(effectId, number);
      if (number > turnEventsMax) return;
      // Cut and copied here: a piece of a long text keeps the whole of it in memory until the batch is written.
      const kept = structuredClone(cutAgentEvent(event));
      batch.push({ effectId, at: clock.now(), event: kept });
      if (batch.length >= batchEventsMax) flush();
      waiting ??= flushLater();
    },
    async close() {
      closed.abort();
      flush();
      await Promise.all([waiting, writing]);
      await writing;
      return fault;
    },
  };
}
