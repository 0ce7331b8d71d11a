import type { AgentEvent } from "../core/agents/agent-event.ts";
import type { CheckProgress } from "../core/contract/check-progress.ts";
import type { JournalNews } from "../core/journal/journal-entry.ts";
import type { Outcome } from "../core/run/outcome.ts";
import type { Request } from "../core/run/observation.ts";
import type { RunConnection } from "../shell/drivers/start-run.ts";
import { joinSinks, type Sink } from "../shell/sinks/sink.ts";
import { createEventQueue } from "./event-queue.ts";
import type { StartTalk } from "./start/start-talk.ts";

/**
 * What a run tells while it happens. `runId` is the run itself, or the role run of a work run it comes from.
 *
 * @example
 * ```ts
 * import { type LoopEvent } from "ralph";
 *
 * const line = (event: LoopEvent): string => (event.kind === "said" ? event.text : event.kind);
 * console.log(line({ runId: "20261116-120000-abcd", kind: "said", text: "It begins." }));
 * ```
 */
export type LoopEvent = { runId: string } & (
  | { kind: "started" }
  /** An entry of the journal: a step of the engine, or a note. */
  | { kind: "entry"; entry: JournalNews }
  | { kind: "agent"; event: AgentEvent }
  /** A check starts (its verdict is null) or has ended. */
  | { kind: "check"; progress: CheckProgress }
  /** A line for people, before the run begins. */
  | { kind: "said"; text: string }
  /** Events that were not read in time and are gone. */
  | { kind: "lost"; count: number }
);

/**
 * A run that this process drives.
 *
 * @example
 * ```ts
 * import { type LoopHandle, runLoop } from "ralph";
 *
 * const loop: LoopHandle = runLoop({ prompt: "Work.", agent: () => "Not yet.", checks: ["true"] });
 * setTimeout(() => void loop.cancel(), 50);
 * console.log((await loop.outcome).name);
 * ```
 */
export type LoopHandle = {
  /** The run's id: `ralph show ID` shows it. */
  id: string;
  /** Everything the run tells, for one reader; ends with the run. */
  events: AsyncIterable<LoopEvent>;
  /** How the run ends. Rejects with a `RalphError` when it cannot start, or when its store fails. */
  outcome: Promise<Outcome>;
  /** Ends the run and everything it started; resolves when both are gone. */
  cancel: () => Promise<void>;
  /** Lets the turn in progress finish and begins nothing new. */
  pause: () => void;
  /** Lets a paused run continue. */
  resume: () => void;
};

/** What drives a run gets: how it speaks, and how it is spoken to. */
export type HandleSide = {
  talk: StartTalk;
  connectionOf: (runId: string) => RunConnection;
};

/** Opens a handle and drives the run behind it. `signal` cancels it. */
export function openHandle(
  { id, signal, sinks }: { id: string; signal: AbortSignal | undefined; sinks: readonly Sink[] },
  drive: (side: HandleSide) => Promise<{ outcome: Outcome }>,
): LoopHandle {
  const queue = createEventQueue<LoopEvent>((count) => ({ runId: id, kind: "lost", count }));
  const requests = openRequests();
  const cancel = (): void => requests.ask("cancel");
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted === true) cancel();
  const side: HandleSide = {
    talk: {
      say: (text) => queue.push({ runId: id, kind: "said", text }),
      isResumed: () => Promise.resolve(false),
      areChangesAccepted: () => Promise.resolve(false),
    },
    connectionOf: (runId) => connectionOf(runId, { push: queue.push, sinks, onRequest: requests.listen }),
  };
  const outcome = drive(side)
    .then((end) => end.outcome)
    .finally(() => signal?.removeEventListener("abort", cancel));
  outcome.then(
    () => queue.end(),
    (cause: unknown) => queue.end({ cause }),
  );
  return {
    id,
    events: queue.events,
    outcome,
    cancel: async () => {
      cancel();
      await outcome.catch(() => {});
    },
    pause: () => requests.ask("pause"),
    resume: () => requests.ask("go-on"),
  };
}

function connectionOf(
  runId: string,
  given: { push: (event: LoopEvent) => void; sinks: readonly Sink[]; onRequest: RunConnection["onRequest"] },
): RunConnection {
  const { push, sinks, onRequest } = given;
  const own: Sink = {
    entry: (entry) => push({ runId, kind: "entry", entry }),
    agentEvent: (event) => push({ runId, kind: "agent", event }),
  };
  return {
    sink: joinSinks([own, ...sinks.map(harmless)]),
    onRequest,
    onCheck: (progress) => push({ runId, kind: "check", progress }),
    onStderr: () => undefined,
    onTaken: () => push({ runId, kind: "started" }),
  };
}

/** Requests for whoever listens; those that come before anybody does are kept, in their order. */
function openRequests() {
  const listeners = new Set<(request: Request) => void>();
  const early: Request[] = [];
  return {
    ask: (request: Request): void => {
      if (listeners.size === 0) early.push(request);
      for (const listener of listeners) listener(request);
    },
    listen: (listener: (request: Request) => void): (() => void) => {
      listeners.add(listener);
      // Whoever subscribes has not begun yet.
      queueMicrotask(() => early.forEach((request) => listener(request)));
      return () => listeners.delete(listener);
    },
  };
}

/** A sink of somebody else: a fault of it, also of a promise it returns, must not reach the run. */
function harmless(sink: Sink): Sink {
  const guard = (call: () => unknown): void => {
    try {
      void Promise.resolve(call()).catch(() => {});
    } catch {
      // No display can break a run.
    }
  };
  return {
    entry: (entry, state) => guard(() => sink.entry(entry, state)),
    agentEvent: (event, effectId) => guard(() => sink.agentEvent(event, effectId)),
  };
}
