import type { AgentEvent } from "../core/agents/agent-event.ts";
import type { CheckProgress } from "../core/contract/check-progress.ts";
import type { JournalNews, WorkStepNews } from "../core/journal/journal-entry.ts";
import type { Outcome } from "../core/run/outcome.ts";
import type { Request } from "../core/run/observation.ts";
import type { RunConnection } from "../shell/drivers/start-run.ts";
import type { WorkConnection } from "../shell/drivers/work/work-connection.ts";
import type { Sink } from "../shell/sinks/sink.ts";
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
  /** An entry of the journal: a step of the engine, of a work run that of its own engine, or a note. */
  | { kind: "entry"; entry: JournalNews | WorkStepNews }
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
  /** Everything the run tells, for one reader at a time; ends with the run. A second reader gets a `RalphError`. */
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

/** What drives a run gets: how it speaks, and how it is spoken to. `sink` hears every run that is driven. */
export type HandleSide = {
  talk: StartTalk;
  sink: Sink;
  connectionOf: (runId: string) => RunConnection;
};

/** Opens a handle and drives the run behind it. `signal` cancels it. */
export function openHandle(
  { id, signal }: { id: string; signal: AbortSignal | undefined },
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
      introduce: (text) => queue.push({ runId: id, kind: "said", text }),
      isResumed: () => Promise.resolve(false),
      areChangesAccepted: () => Promise.resolve(false),
    },
    sink: {
      entry: (entry, _, runId) => queue.push({ runId, kind: "entry", entry }),
      agentEvent: (event, _, runId) => queue.push({ runId, kind: "agent", event }),
    },
    connectionOf: (runId) => connectionOf(runId, queue.push, requests.listen),
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
  push: (event: LoopEvent) => void,
  onRequest: RunConnection["onRequest"],
): RunConnection {
  return {
    // The sinks of the machine hear the run.
    sink: { entry: () => {}, agentEvent: () => {} },
    onRequest,
    onCheck: (progress) => push({ runId, kind: "check", progress }),
    onStderr: () => undefined,
    onTaken: () => push({ runId, kind: "started" }),
  };
}

/** The connection of a work run, and of each of its role runs. */
export function workConnection(
  { talk, connectionOf: connectionTo }: HandleSide,
  id: string,
  onTaskEnd: WorkConnection["onTaskEnd"],
): WorkConnection {
  const { onRequest, onTaken } = connectionTo(id);
  return {
    onRequest,
    onTaken,
    onNote: (_, line) => talk.say(line),
    onTaskEnd,
    forRole: ({ runId }) => connectionTo(runId),
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
