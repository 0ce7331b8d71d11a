import type { AgentEvent } from "../../core/agents/agent-event.ts";
import type { RunState } from "../../core/run/state.ts";
import type { JournalNews } from "../../core/journal/journal-entry.ts";

/**
 * A reader of a run while it happens. Must not throw and is never waited for: no display can hold up or break a run.
 *
 * @example
 * ```ts
 * import { runLoop, type Sink } from "ralph";
 *
 * const sink: Sink = {
 *   entry: (entry) => console.log(entry.kind),
 *   agentEvent: (event) => console.log(event.type),
 * };
 * const agent = (): string => "<promise>DONE</promise>";
 * await runLoop({ prompt: "Say that it is done.", agent, checks: ["true"], sinks: [sink] }).outcome;
 * ```
 */
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
