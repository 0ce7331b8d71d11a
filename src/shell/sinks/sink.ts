import type { AgentEvent } from "../../core/agents/agent-event.ts";
import type { RunState } from "../../core/run/state.ts";
import type { JournalNews, WorkStepNews } from "../../core/journal/journal-entry.ts";

/**
 * A reader of runs while they happen: of every run that a machine drives, whatever its kind. `runId` says which: a run, a
 * work run, one of its role runs, or a session run. It is never waited for, and what it throws reaches nobody: no display
 * can hold up or break a run.
 *
 * @example
 * ```ts
 * import { runLoop, type Sink } from "ralph";
 *
 * const sink: Sink = {
 *   entry: (entry, state, runId) => console.log(runId, state.iteration, entry.kind),
 *   agentEvent: (event) => console.log(event.type),
 * };
 * const agent = (): string => "<promise>DONE</promise>";
 * await runLoop({ prompt: "Say that it is done.", agent, checks: ["true"], sinks: [sink] }).outcome;
 * ```
 */
export type Sink = {
  entry(entry: JournalNews | WorkStepNews, state: RunState, runId: string): void;
  agentEvent(event: AgentEvent, effectId: number, runId: string): void;
};

/** The reader of one run that a surface brings along. Must not throw and is never waited for. */
export type RunSink = {
  entry(entry: JournalNews, state: RunState): void;
  agentEvent(event: AgentEvent, effectId: number): void;
};

/** The reader of a run whose steps are of one kind. */
type SinkOf<News> = Pick<RunSink, "agentEvent"> & { entry(entry: News, state: RunState): void };

/** Tells every sink. */
export function joinSinks<News = JournalNews>(sinks: readonly SinkOf<News>[]): SinkOf<News> {
  return {
    entry: (entry, state) => sinks.forEach((sink) => sink.entry(entry, state)),
    agentEvent: (event, effectId) => sinks.forEach((sink) => sink.agentEvent(event, effectId)),
  };
}
