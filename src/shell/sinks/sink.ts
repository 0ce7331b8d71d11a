import type { AgentEvent } from "../../core/agents/agent-event.ts";
import type { RunState } from "../../core/run/state.ts";
import type { JournalNews } from "../../core/journal/journal-entry.ts";

/** A reader of a run while it happens. Must not throw and is never waited for: no display can hold up or break a run. */
export type Sink = {
  entry(entry: JournalNews, state: RunState): void;
  agentEvent(event: AgentEvent, effectId: number): void;
};

/** Tells every sink. */
export function joinSinks(sinks: readonly Sink[]): Sink {
  return {
    entry: (entry, state) => sinks.forEach((sink) => sink.entry(entry, state)),
    agentEvent: (event, effectId) => sinks.forEach((sink) => sink.agentEvent(event, effectId)),
  };
}
