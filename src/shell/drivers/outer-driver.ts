import { decide } from "../../core/engine/decide.ts";
import type { Request } from "../../core/run/observation.ts";
import type { Outcome } from "../../core/run/outcome.ts";
import type { RunState } from "../../core/run/state.ts";
import type { News } from "../../core/run/news.ts";
import type { BeforeGoOn, Perform } from "../perform/news.ts";
import type { RunSink } from "../sinks/sink.ts";
import type { Clock, Store } from "../ports.ts";
import { type BackstopTools, createBackstop } from "./backstop.ts";
import { driveEngine } from "./drive-engine.ts";

/** What the driver of a run needs. `perform` is the only part that differs between kinds of runs. */
export type OuterDriver = {
  clock: Clock;
  store: Store;
  sink: RunSink;
  perform: Perform;
  run: { id: string; epoch: number };
  /** Signals of the terminal: calls back until unsubscribed. */
  onRequest: (listener: (request: Request, because?: Outcome) => void) => () => void;
  /** For operations that do not answer their cut. Null: the driver waits until they do. */
  backstop: BackstopTools | null;
  /** Resolves with the reason when another driver took the run. */
  lost?: Promise<unknown>;
  /** What a paused run continues with, beside the request; null: it cannot continue yet. Must not reject. */
  beforeGoOn?: BeforeGoOn;
};

/** Drives one agent's loop: `decide`, with a sink that hears each step and one effect in flight. */
export function driveRun(driver: OuterDriver, start: RunState, first: News): Promise<RunState> {
  const { clock, store, sink, perform, run, onRequest, backstop, lost, beforeGoOn } = driver;
  return driveEngine(
    {
      clock,
      store,
      runId: run.id,
      decide,
      perform,
      onRequest,
      commit: (step) => store.commit({ runId: run.id, epoch: run.epoch, ...step }),
      onStored: ({ at, observation, effects, state }) => sink.entry({ kind: "step", at, observation, effects }, state),
      openBackstop: backstop === null ? null : (post) => createBackstop(clock, backstop, post),
      ...(lost === undefined ? {} : { lost }),
      ...(beforeGoOn === undefined ? {} : { beforeGoOn }),
    },
    start,
    first,
  );
}

/** The outcome of a state known to have ended. */
export function outcomeOf(state: RunState): Outcome {
  if (state.outcome === null) throw new Error("the run has not ended");
  return state.outcome;
}
