import { decide } from "../../core/engine/decide.ts";
import type { Effect } from "../../core/run/effect.ts";
import type { Observation, Request } from "../../core/run/observation.ts";
import type { Outcome } from "../../core/run/outcome.ts";
import type { RunState } from "../../core/run/state.ts";
import type { BeforeGoOn, News, Perform } from "../perform/news.ts";
import type { Sink } from "../sinks/sink.ts";
import type { Clock, Store } from "../ports.ts";
import { type BackstopTools, createBackstop, type Operation } from "./backstop.ts";
import { createMailbox } from "./mailbox.ts";

/** What the outer driver needs. `perform` is the only part that differs between kinds of runs. */
export type OuterDriver = {
  clock: Clock;
  store: Store;
  sink: Sink;
  perform: Perform;
  run: { id: string; epoch: number };
  /** Signals of the terminal: calls back until unsubscribed. */
  onRequest: (listener: (request: Request, because?: Outcome) => void) => () => void;
  /** For operations that do not answer their cut. Null: the driver waits until they do. */
  backstop: BackstopTools | null;
  /** What a paused run continues with, beside the request; null: it cannot continue yet. Must not reject. */
  beforeGoOn?: BeforeGoOn;
};

/** How often requests of other commands are looked for. A person waits for a cancel, an agent never does. */
const requestPollMs = 250;

/**
 * The loop around the pure loop: wait for news, decide, store, perform. Observation, state and effects are durable
 * before anything is carried out. Resolves with the outcome; rejects only when the store can no longer be written
 * (or another driver took the run), after ending whatever it had started. An operation that does not answer its cut is
 * abandoned, so that a cancel and a second signal always work.
 */
export async function driveRun(driver: OuterDriver, start: RunState, first: News): Promise<RunState> {
  const mailbox = createMailbox<News | { fault: unknown }>();
  const post = (news: News | { fault: unknown }): void => mailbox.post(news);
  const inFlight = new Map<number, Operation & { controller: AbortController }>();
  const ended = new AbortController();
  const unsubscribe = driver.onRequest((request, because) =>
    post({ type: "asked", request, seq: null, ...(because === undefined ? {} : { because }) }),
  );
  const polling = pollRequests(driver, start.lastRequestSeq, { post, signal: ended.signal });
  const backstop = driver.backstop === null ? null : createBackstop(driver.clock, driver.backstop, post);
  let state = start;
  const perform = (effect: Effect): void => {
    if (effect.type === "end-run") return;
    if (effect.type === "cut") {
      inFlight.get(effect.effectId)?.controller.abort();
      return;
    }
    const controller = new AbortController();
    const done = driver.perform(effect, controller.signal, post).then(
      () => void inFlight.delete(effect.id),
      (fault: unknown) => post({ fault }),
    );
    inFlight.set(effect.id, { effect, controller, done });
  };
  post(first);
  try {
    for (;;) {
      const news = await mailbox.next();
      if ("fault" in news) throw news.fault;
      const isGoOn = news.type === "asked" && news.request === "go-on" && state.isHeld;
      const found = isGoOn && driver.beforeGoOn !== undefined ? await driver.beforeGoOn(state) : {};
      if (found === null) continue;
      const moment = { at: driver.clock.now(), upMs: driver.clock.upMs() };
      const observation: Observation = { ...news, ...found, ...moment };
      const [next, effects] = decide(state, observation);
      if (next === state && effects.length === 0) {
        // Nothing was heard: stale news, or a resume of a run that had already ended for good.
        if (state.outcome !== null) return state;
        continue;
      }
      await driver.store.commit({
        runId: driver.run.id,
        epoch: driver.run.epoch,
        at: moment.at,
        observation,
        state: next,
        effects,
      });
      state = next;
      driver.sink.entry({ kind: "step", at: moment.at, observation, effects }, state);
      effects.forEach(perform);
      backstop?.look(state);
      if (state.outcome !== null) return state;
    }
  } finally {
    ended.abort();
    unsubscribe();
    for (const { controller } of inFlight.values()) controller.abort();
    const operations = [...inFlight.values()];
    await (backstop === null ? Promise.allSettled(operations.map(({ done }) => done)) : backstop.close(operations));
    await polling;
  }
}

/** Requests are rows of their own, so that no state write can overwrite a cancel (CB-19, CW-2L). */
async function pollRequests(
  driver: OuterDriver,
  afterSeq: number,
  { post, signal }: { post: (news: News | { fault: unknown }) => void; signal: AbortSignal },
): Promise<void> {
  let seen = afterSeq;
  do {
    try {
      for (const { seq, request } of await driver.store.readRequests(driver.run.id, seen)) {
        seen = seq;
        post({ type: "asked", request, seq });
      }
    } catch (fault) {
      if (!signal.aborted) post({ fault });
      return;
    }
  } while (await driver.clock.wait(requestPollMs, signal));
}

/** The outcome of a state known to have ended. */
export function outcomeOf(state: RunState): Outcome {
  if (state.outcome === null) throw new Error("the run has not ended");
  return state.outcome;
}
