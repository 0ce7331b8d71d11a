import type { Moment, Observation, Request } from "../../core/run/observation.ts";
import type { Outcome } from "../../core/run/outcome.ts";
import type { RunState } from "../../core/run/state.ts";
import { asOwn } from "../lib/as-own.ts";
import type { Clock, Store } from "../ports.ts";
import { createMailbox } from "./mailbox.ts";

/** An effect of any engine. `cut` names the effect it cuts; `cut` and `end-run` are not performed. */
export type AnyEffect = { type: string; id: number; effectId?: number };

/** The effects that are performed. */
export type Performed<Effect> = Exclude<Effect, { type: "cut" | "end-run" }>;

/** Observations before the driver stamps them with the time. */
export type NewsOf<Seen> = Seen extends Moment ? Omit<Seen, keyof Moment> : never;

/** Carries out one effect and reports. Rejects only on a fault that must end the run; all else is an observation. */
export type PerformEffect<Seen, Effect> = (
  effect: Performed<Effect>,
  signal: AbortSignal,
  post: (news: NewsOf<Seen>) => void,
) => Promise<void>;

/** An effect at work; `done` settles when it is over, whatever it answered. */
export type OperationOf<Effect> = { effect: Performed<Effect>; done: Promise<void> };

/** Watches operations while a run ends. */
export type BackstopOf<State, Effect> = {
  /** Told every state that was stored. */
  look(state: State): void;
  /** Waits for operations that are still in flight, which were all cut. */
  close(operations: readonly OperationOf<Effect>[]): Promise<void>;
};

/** One step of an engine, as it is stored. */
export type EngineStep<State, Seen, Effect> = { at: number; observation: Seen; state: State; effects: Effect[] };

/** The part of a state that the driver reads, whichever engine it belongs to. */
type DrivenState = Pick<RunState, "isHeld" | "outcome" | "lastRequestSeq">;

/** What the driver needs: an engine, who performs its effects, and where its steps are stored. */
export type EngineDriver<State, Seen, Effect> = {
  clock: Clock;
  store: Pick<Store, "readRequests">;
  runId: string;
  /** The engine: pure. */
  decide: (state: State, observation: Seen) => [State, Effect[]];
  perform: PerformEffect<Seen, Effect>;
  /** Stores a step. It is durable when this resolves. */
  commit: (step: EngineStep<State, Seen, Effect>) => Promise<void>;
  /** Told every stored step before its effects are performed. Must not throw. */
  onStored: (step: EngineStep<State, Seen, Effect>) => void;
  /** Signals of the terminal: calls back until unsubscribed. */
  onRequest: (listener: (request: Request, because?: Outcome) => void) => () => void;
  /** For operations that do not answer their cut. Null: the driver waits until they do. */
  openBackstop: ((post: (news: NewsOf<Seen>) => void) => BackstopOf<State, Effect>) | null;
  /** Resolves with the reason when another driver took the run: this one ends at once, as after a refused commit. */
  lost?: Promise<unknown>;
  /** What a paused run continues with, beside the request; null: it cannot continue yet. Must not reject. */
  beforeGoOn?: (state: State) => Promise<object | null>;
};

/** How often requests of other commands are looked for. A person waits for a cancel, an agent never does. */
const requestPollMs = 250;

type Asked = NewsOf<Extract<Observation, { type: "asked" }>>;
type Fault = { fault: unknown };

/**
 * The loop around a pure engine: wait for news, decide, store, perform. Observation, state and effects are durable
 * before anything is carried out. Resolves with the last state; rejects only when the store can no longer be written
 * (or another driver took the run), after ending whatever it had started. Several effects may be in flight. An operation
 * that does not answer its cut is abandoned where there is a backstop, so that a cancel and a second signal always work.
 */
export async function driveEngine<
  State extends DrivenState,
  Seen extends Moment & { type: string },
  Effect extends AnyEffect,
>(driver: EngineDriver<State, Seen, Effect>, start: State, first: NewsOf<Seen>): Promise<State> {
  const mailbox = createMailbox<NewsOf<Seen> | Asked | Fault>();
  const post = (news: NewsOf<Seen> | Asked | Fault): void => mailbox.post(news);
  const inFlight = new Map<number, OperationOf<Effect> & { controller: AbortController }>();
  const ended = new AbortController();
  const unsubscribe = driver.onRequest((request, because) =>
    post({ type: "asked", request, seq: null, ...(because === undefined ? {} : { because }) }),
  );
  const polling = pollRequests(driver, start.lastRequestSeq, { post, signal: ended.signal });
  const backstop = driver.openBackstop?.(post) ?? null;
  let state = start;
  let fault: unknown;
  const perform = (effect: Effect): void => {
    if (effect.type === "end-run") return;
    if (effect.type === "cut") {
      inFlight.get(effect.effectId ?? 0)?.controller.abort();
      return;
    }
    const performed = asOwn<Performed<Effect>>(effect);
    const controller = new AbortController();
    const done = driver.perform(performed, controller.signal, post).then(
      () => void inFlight.delete(effect.id),
      (cause: unknown) => post({ fault: cause }),
    );
    inFlight.set(effect.id, { effect: performed, controller, done });
  };
  post(first);
  void driver.lost?.then((reason) => post({ fault: reason }));
  try {
    for (;;) {
      const news = await mailbox.next();
      if (isFault(news)) throw news.fault;
      const found =
        isGoOn(news) && state.isHeld && driver.beforeGoOn !== undefined ? await driver.beforeGoOn(state) : {};
      if (found === null) continue;
      const moment = { at: driver.clock.now(), upMs: driver.clock.upMs() };
      const observation = asOwn<Seen>({ ...news, ...found, ...moment });
      const before = state;
      const [next, effects] = driver.decide(before, observation);
      if (next === before && effects.length === 0) {
        // Nothing was heard: stale news, or a resume of a run that had already ended for good.
        if (before.outcome !== null) return before;
        continue;
      }
      const step = { at: moment.at, observation, state: next, effects };
      await driver.commit(step);
      state = next;
      driver.onStored(step);
      effects.forEach(perform);
      backstop?.look(state);
      if (state.outcome !== null) return state;
    }
  } catch (cause) {
    fault = cause;
    throw cause;
  } finally {
    ended.abort();
    unsubscribe();
    for (const { controller } of inFlight.values()) controller.abort(fault);
    const operations = [...inFlight.values()];
    await (backstop === null ? Promise.allSettled(operations.map(({ done }) => done)) : backstop.close(operations));
    await polling;
  }
}

function isFault(news: object): news is Fault {
  return "fault" in news;
}

function isGoOn(news: object): boolean {
  return "request" in news && news.request === "go-on";
}

/** Requests are rows of their own, so that no state write can overwrite a cancel (CB-19, CW-2L). */
async function pollRequests(
  driver: Pick<EngineDriver<never, never, never>, "store" | "clock" | "runId">,
  afterSeq: number,
  { post, signal }: { post: (news: Asked | Fault) => void; signal: AbortSignal },
): Promise<void> {
  let seen = afterSeq;
  do {
    try {
      for (const { seq, request } of await driver.store.readRequests(driver.runId, seen)) {
        seen = seq;
        post({ type: "asked", request, seq });
      }
    } catch (fault) {
      if (!signal.aborted) post({ fault });
      return;
    }
  } while (await driver.clock.wait(requestPollMs, signal));
}
