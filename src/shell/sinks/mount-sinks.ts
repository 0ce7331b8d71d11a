import type { JournalNews, WorkStepNews } from "../../core/journal/journal-entry.ts";
import type { RunState } from "../../core/run/state.ts";
import type { RunSink, Sink } from "./sink.ts";

/** Sinks on one run. A work run has steps of its own engine. */
export type MountedSinks = RunSink & { entry(entry: JournalNews | WorkStepNews, state: RunState): void };

/** The one place where sinks get on a run, of any kind. A fault of one, also of a promise it returns, ends here. */
export function mountSinks(sinks: readonly Sink[], runId: string): MountedSinks {
  const tell = (call: (sink: Sink) => unknown): void => {
    for (const sink of sinks) {
      try {
        void Promise.resolve(call(sink)).catch(() => {});
      } catch {
        // The sink's own trouble, not the run's.
      }
    }
  };
  return {
    entry: (entry, state) => tell((sink) => sink.entry(entry, state, runId)),
    agentEvent: (event, effectId) => tell((sink) => sink.agentEvent(event, effectId, runId)),
  };
}
