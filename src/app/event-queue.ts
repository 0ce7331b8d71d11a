import { RalphError } from "../core/ralph-error.ts";

/** Events that wait for their reader. */
export type EventQueue<Event> = {
  push: (event: Event) => void;
  /** No event follows; with a fault, the reader is told it after the last one. */
  end: (fault?: { cause: unknown }) => void;
  /** For one reader at a time: a second one is refused with a `RalphError`. It ends after the last event. */
  events: AsyncIterable<Event>;
};

/** A run tells a few events a second; whoever does not read for so long has lost interest. */
const waitingMax = 10_000;

/** Opens a queue. Of events that nobody reads the newest are kept, and `lost` says in their place how many are gone. */
export function createEventQueue<Event>(lost: (count: number) => Event): EventQueue<Event> {
  const waiting: Event[] = [];
  const state = {
    lostCount: 0,
    isRead: false,
    isEnded: false,
    fault: null as { cause: unknown } | null,
    wake: () => {},
  };
  async function* readAlone(): AsyncGenerator<Event, void> {
    if (state.isRead)
      throw new RalphError(
        "usage",
        "These events have a reader already.",
        "Read them once, and hand them on from there.",
      );
    state.isRead = true;
    try {
      yield* read();
    } finally {
      state.isRead = false;
    }
  }
  async function* read(): AsyncGenerator<Event, void> {
    for (;;) {
      if (state.lostCount > 0) {
        const count = state.lostCount;
        state.lostCount = 0;
        yield lost(count);
      }
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (!state.isEnded) await new Promise<void>((resolve) => (state.wake = resolve));
      else if (state.fault !== null) throw state.fault.cause;
      else return;
    }
  }
  return {
    push: (event) => {
      waiting.push(event);
      if (waiting.length > waitingMax) {
        waiting.shift();
        state.lostCount += 1;
      }
      state.wake();
    },
    end: (fault) => {
      state.isEnded = true;
      state.fault = fault ?? null;
      state.wake();
    },
    events: { [Symbol.asyncIterator]: readAlone },
  };
}
