import { addSpend } from "../../core/agents/spend.ts";
import type { Effect } from "../../core/engine/effect.ts";
import type { Observation, Request } from "../../core/engine/observation.ts";
import type { Outcome } from "../../core/engine/outcome.ts";
import type { RunState } from "../../core/engine/state.ts";
import { overBudget } from "../../core/policies/budget.ts";
import { cancelledReason, interruptedReason } from "../../core/policies/outcome-reasons.ts";
import { sumSpend, type WorkUsed } from "../../core/tasks/work-budget.ts";
import type { Machine } from "../machine.ts";
import type { RunRecord } from "../ports.ts";
import type { News } from "./outer-driver.ts";
import type { Held, RunConnection } from "./start-run.ts";

/** The record of a work while it is driven: what was asked of it, what its children used, and how it ends. */
export type WorkRecord = {
  id: string;
  state: () => RunState;
  /** Why nothing new may begin; null: go on. */
  asked: () => Outcome | null;
  /** Waits while the work is paused. */
  whenGoing: () => Promise<void>;
  used: () => WorkUsed;
  /** Iterations that the children of this work used on a task. */
  iterationsOf: (taskId: string) => number;
  /** Lets a child hear what is asked of the work, and the work see what the child uses. */
  follow: (child: Pick<RunRecord, "id"> & { taskId: string }) => Pick<RunConnection, "onRequest" | "sink">;
  /** Leaves a remark in the journal. Must not reject. */
  note: (level: "info" | "warning", text: string) => Promise<void>;
  /** A fault of the store: every child ends, and `end` rejects with it. */
  fail: (cause: unknown) => void;
  /** Stores the outcome and stops listening. Rejects when the store could not be written any more. */
  end: (outcome: Outcome) => Promise<RunState>;
};

/** What opens a record: its children so far, and who listens. */
export type WorkListening = {
  children: readonly RunRecord[];
  onRequest: RunConnection["onRequest"];
  onNote: (level: "info" | "warning", text: string) => void;
};

type Child = { taskId: string; state: RunState; tell: ((request: Request) => void) | null };

/** How often requests of other commands are looked for, as in every run. */
const requestPollMs = 250;
/** How often the time used is stored: what a kill can lose of it. */
const tickMs = 15_000;

/** Opens the record of a work that this program holds. */
export function openWorkRecord(
  machine: Pick<Machine, "store" | "clock">,
  { record, epoch }: Held,
  listening: WorkListening,
): WorkRecord {
  const { store, clock } = machine;
  const children = new Map<string, Child>();
  for (const { id, frozen, state: known } of listening.children)
    children.set(id, { taskId: frozen.task?.id ?? "", state: known, tell: null });
  const ended = new AbortController();
  let state = record.state;
  const cancelled: Outcome = { name: "cancelled", reason: cancelledReason };
  let asked = state.isCancelAsked ? cancelled : null;
  let lastTold: Request | null = state.isCancelAsked ? "cancel" : null;
  let isPaused = false;
  let fault: { cause: unknown } | null = null;
  let wake: (() => void)[] = [];
  let writing = Promise.resolve();

  const used = (): WorkUsed => ({
    spend: sumSpend(Array.from(children.values(), (child) => addSpend(child.state.spend, child.state.liveSpend))),
    usedMs: state.usedMs + Math.max(0, clock.upMs() - state.lastUpMs),
  });
  const tellAll = (request: Request, isMeant: (child: Child) => boolean = () => true): void => {
    lastTold = request === "go-on" ? null : request;
    for (const child of children.values()) if (isMeant(child)) child.tell?.(request);
  };
  const fail = (cause: unknown): void => {
    fault ??= { cause };
    asked ??= { name: "interrupted", reason: interruptedReason };
    tellAll("interrupt-now");
  };
  const commit = (news: News, change: Partial<RunState>, effects: Effect[] = []): Promise<void> => {
    writing = writing.then(async () => {
      if (fault !== null) return;
      const moment = { at: clock.now(), upMs: clock.upMs() };
      const observation: Observation = { ...news, ...moment };
      const next = { ...state, ...used(), lastUpMs: moment.upMs, ...change };
      try {
        await store.commit({ runId: record.id, epoch, at: moment.at, observation, state: next, effects });
        state = next;
      } catch (cause) {
        fail(cause);
      }
    });
    return writing;
  };
  const progress = (): News => ({ type: "turn-progressed", effectId: 0, spend: used().spend, sessionId: null });

  const hear = (request: Request, seq: number | null): void => {
    if (request === "cancel") asked = cancelled;
    if (request === "interrupt" || request === "interrupt-now")
      asked ??= { name: "interrupted", reason: interruptedReason };
    isPaused = request === "pause" || (isPaused && request !== "go-on");
    if (!isPaused || asked !== null) {
      wake.forEach((go) => go());
      wake = [];
    }
    tellAll(request);
    void commit(
      { type: "asked", request, seq },
      {
        lastRequestSeq: seq ?? state.lastRequestSeq,
        isPauseAsked: isPaused,
        isHeld: isPaused,
        isCancelAsked: asked?.name === "cancelled",
        isInterruptAsked: asked?.name === "interrupted",
      },
    );
  };
  const watchBudget = (): void => {
    const reason = asked === null ? overBudget({ ...state, ...used() }) : null;
    if (reason === null) return;
    asked = { name: "stopped", reason };
    // A child that noticed it by itself ends with its own words.
    tellAll("interrupt-now", (child) => child.state.ending === null && child.state.outcome === null);
  };
  const poll = async (): Promise<void> => {
    let seen = record.state.lastRequestSeq;
    try {
      do {
        for (const { seq, request } of await store.readRequests(record.id, seen)) {
          seen = seq;
          hear(request, seq);
        }
      } while (await clock.wait(requestPollMs, ended.signal));
    } catch (cause) {
      if (!ended.signal.aborted) fail(cause);
    }
  };
  const tick = async (): Promise<void> => {
    while (await clock.wait(tickMs, ended.signal)) {
      watchBudget();
      await commit(progress(), {});
    }
  };
  const unsubscribe = listening.onRequest((request) => hear(request, null));
  const background = [poll(), tick()];

  return {
    id: record.id,
    state: () => state,
    asked: () => asked,
    whenGoing: async () => {
      if (!isPaused || asked !== null) return;
      await new Promise<void>((resolve) => wake.push(resolve));
    },
    used,
    iterationsOf: (taskId) =>
      Array.from(children.values())
        .filter((child) => child.taskId === taskId)
        .reduce((sum, child) => sum + child.state.iteration, 0),
    follow: ({ id, taskId }) => {
      const child = children.get(id) ?? { taskId, state: { ...record.state, spend: sumSpend([]) }, tell: null };
      children.set(id, child);
      return {
        onRequest: (listener) => {
          child.tell = listener;
          // Asked while the child was being made: it has not heard it.
          if (lastTold !== null) listener(lastTold);
          return () => {
            child.tell = null;
          };
        },
        sink: {
          entry: (_, childState) => {
            child.state = childState;
            watchBudget();
          },
          agentEvent: () => {},
        },
      };
    },
    fail,
    note: async (level, text) => {
      listening.onNote(level, text);
      await store.note({ runId: record.id, at: clock.now(), level, text }).catch(() => {});
    },
    end: async (outcome) => {
      ended.abort();
      unsubscribe();
      await Promise.all(background);
      const id = state.nextEffectId;
      const isHeld = false;
      await commit(progress(), { outcome, isHeld, nextEffectId: id + 1 }, [{ type: "end-run", id, outcome }]);
      if (fault !== null) throw (fault as { cause: unknown }).cause;
      return state;
    },
  };
}
