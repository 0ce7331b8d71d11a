import type { SessionChange } from "../../core/session/session-journal.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { sessionRunId } from "../../core/session/session-run.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { mountSinks } from "./mount-sinks.ts";
import type { Sink } from "./sink.ts";

/** A store of sessions that tells sinks each step once it is stored. The agent's events are the host's alone. */
export function withSinks(store: SessionStore, sinks: readonly Sink[]): SessionStore {
  if (sinks.length === 0) return store;
  return {
    ...store,
    change: (sessionId, step, kind) => {
      const seen: { change: SessionChange | null } = { change: null };
      const watched = (record: SessionRecord | null): SessionChange | null => (seen.change = step(record));
      const isStored = store.change(sessionId, watched, kind);
      if (isStored && seen.change !== null) tellSteps(sinks, seen.change);
      return isStored;
    },
  };
}

function tellSteps(sinks: readonly Sink[], { steps, record }: SessionChange): void {
  const mounted = mountSinks(sinks, sessionRunId(record));
  for (const { observation, effects } of steps)
    mounted.entry({ kind: "step", at: observation.at, observation, effects: [...effects] }, record.run);
}
