import { addSpend, noSpend, type Spend, subtractSpend, totalTokens } from "../../../core/agents/spend.ts";
import type { Gate } from "../../../core/contract/gate.ts";
import type { Effect } from "../../../core/run/effect.ts";
import { withAnswer } from "../../../core/engine/gate-orders.ts";
import type { GateAnswer, Observation, Request } from "../../../core/run/observation.ts";
import type { Outcome } from "../../../core/run/outcome.ts";
import { noFacts, type RunState } from "../../../core/run/state.ts";
import { overBudget, wallWithinBudget } from "../../../core/policies/budget.ts";
import { cancelledReason, interruptedReason } from "../../../core/policies/outcome-reasons.ts";
import type { WorkUsed } from "../../../core/work/work-budget.ts";
import { cutAnswer } from "../../gates/gate-answer.ts";
import type { AskGate } from "../../run-context.ts";
import type { Machine } from "../../machine.ts";
import type { RunRecord } from "../../ports.ts";
import type { News } from "../../perform/news.ts";
import type { Held, RunConnection } from "../start-run.ts";
import { openWorkChildren, type WorkChildren } from "./work-children.ts";

/** The record of a work while it is driven: what was asked of it, what its children used, and how it ends. */
export type WorkRecord = {
  id: string;
  state: () => RunState;
  /** Why nothing new may begin; null: go on. */
  asked: () => Outcome | null;
  /** Waits while the work is paused. */
  whenGoing: () => Promise<void>;
  used: () => WorkUsed;
  iterationsOf: WorkChildren["iterationsOf"];
  /** Lets a child hear what is asked of the work, and the work see what the child uses. */
  follow: (child: { id: string; taskId: string }) => ReturnType<WorkChildren["follow"]>;
  /** Asks a gate of the contract on the merged tip; stored before and after. What is asked of the work cuts it. */
  runGate: (gate: Gate, ask: AskGate) => Promise<GateAnswer>;
  /** Begins the next look at a merged tip: an iteration of the record. */
  beginTip: () => Promise<number>;
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

/** Everything about the record that changes while the work goes on. */
type Book = {
  machine: Pick<Machine, "store" | "clock">;
  run: { id: string; epoch: number };
  children: WorkChildren;
  state: RunState;
  asked: Outcome | null;
  isPaused: boolean;
  waiting: (() => void)[];
  fault: { cause: unknown } | null;
  /** Aborted once something was asked. */
  halt: AbortController;
  /** What gates on merged tips have cost; no child's. */
  ownSpend: Spend;
  /** Writes follow one another. */
  writing: Promise<void>;
};

/** How often requests of other commands are looked for, as in every run. */
const requestPollMs = 250;
/** How often the time used is stored: what a kill can lose of it. */
const tickMs = 15_000;

const cancelled: Outcome = { name: "cancelled", reason: cancelledReason };
const interrupted: Outcome = { name: "interrupted", reason: interruptedReason };

/** Opens the record of a work that this program holds. */
export function openWorkRecord(
  machine: Pick<Machine, "store" | "clock">,
  { record, epoch }: Held,
  listening: WorkListening,
): WorkRecord {
  const { state } = record;
  const children = openWorkChildren(listening.children, state.policy);
  const book: Book = {
    machine,
    run: { id: record.id, epoch },
    children,
    state,
    asked: state.isCancelAsked ? cancelled : null,
    isPaused: false,
    waiting: [],
    fault: null,
    halt: new AbortController(),
    ownSpend: ownSpendOf(state, children),
    writing: Promise.resolve(),
  };
  if (state.isCancelAsked) {
    children.tell("cancel");
    book.halt.abort();
  }
  const ended = new AbortController();
  const unsubscribe = listening.onRequest((request) => hear(book, request, null));
  const background = [poll(book, ended.signal), tick(book, ended.signal)];
  return {
    id: record.id,
    state: () => book.state,
    asked: () => book.asked,
    whenGoing: async () => {
      if (book.isPaused && book.asked === null) await new Promise<void>((resolve) => book.waiting.push(resolve));
    },
    used: () => used(book),
    iterationsOf: children.iterationsOf,
    follow: (child) => children.follow(child, () => watchBudget(book)),
    runGate: (gate, ask) => runGate(book, gate, ask),
    beginTip: async () => {
      const iteration = book.state.iteration + 1;
      await commit(book, progressOf(book), { change: { iteration, facts: noFacts }, effects: [] });
      return iteration;
    },
    note: async (level, text) => {
      listening.onNote(level, text);
      await machine.store.note({ runId: record.id, at: machine.clock.now(), level, text }).catch(() => {});
    },
    fail: (cause) => fail(book, cause),
    end: async (outcome) => {
      ended.abort();
      unsubscribe();
      await Promise.all(background);
      const id = book.state.nextEffectId;
      const change = { outcome, isHeld: false, nextEffectId: id + 1 };
      await commit(book, progressOf(book), { change, effects: [{ type: "end-run", id, outcome }] });
      if (book.fault !== null) throw book.fault.cause;
      return book.state;
    },
  };
}

function used({ children, state, machine, ownSpend }: Book): WorkUsed {
  return {
    spend: addSpend(children.spend(), ownSpend),
    usedMs: state.usedMs + Math.max(0, machine.clock.upMs() - state.lastUpMs),
  };
}

async function runGate(book: Book, gate: Gate, ask: AskGate): Promise<GateAnswer> {
  const { state, halt } = book;
  const effect: Extract<Effect, { type: "run-gate" }> = {
    type: "run-gate",
    id: state.nextEffectId,
    gate,
    iteration: state.iteration,
    hasClaim: true,
    isGreenSoFar: true,
    slot: null,
    candidate: null,
    wallMs: wallWithinBudget({ ...state, ...used(book) }, gate.limits.wallMs),
  };
  const begun = { pending: effect, nextEffectId: effect.id + 1 };
  await commit(book, progressOf(book), { change: begun, effects: [effect] });
  if (halt.signal.aborted) return cutAnswer();
  const answer = await ask(effect, halt.signal);
  book.ownSpend = addSpend(book.ownSpend, answer.spend);
  const news = { type: "gate-finished" as const, effectId: effect.id, ...answer };
  const { at, upMs } = { at: book.machine.clock.now(), upMs: book.machine.clock.upMs() };
  const { facts, recentVerdicts } = withAnswer(book.state, gate, { ...news, at, upMs });
  await commit(book, news, { change: { pending: null, facts, recentVerdicts }, effects: [] });
  watchBudget(book);
  // A gate that had only the rest of the budget is not red because of that.
  const isOutOfBudget = book.asked?.name === "stopped" && answer.verdicts.some(({ isTimedOut }) => isTimedOut);
  return isOutOfBudget ? cutAnswer() : answer;
}

/** What a former life spent on merged tips: whatever no child has spent. */
function ownSpendOf({ spend }: RunState, children: WorkChildren): Spend {
  const rest = subtractSpend(spend, children.spend());
  return totalTokens(rest) === 0 && (rest.usd ?? 0) === 0 ? noSpend : rest;
}

function progressOf(book: Book): News {
  return { type: "turn-progressed", effectId: 0, spend: used(book).spend, sessionId: null };
}

async function commit(
  book: Book,
  news: News,
  { change, effects }: { change: Partial<RunState>; effects: Effect[] },
): Promise<void> {
  const before = book.writing;
  book.writing = write(before);
  await book.writing;

  async function write(former: Promise<void>): Promise<void> {
    await former;
    if (book.fault !== null) return;
    const { store, clock } = book.machine;
    const moment = { at: clock.now(), upMs: clock.upMs() };
    const observation: Observation = { ...news, ...moment };
    const state = { ...book.state, ...used(book), lastUpMs: moment.upMs, ...change };
    const { id: runId, epoch } = book.run;
    try {
      await store.commit({ runId, epoch, at: moment.at, observation, state, effects });
      book.state = state;
    } catch (cause) {
      fail(book, cause);
    }
  }
}

function fail(book: Book, cause: unknown): void {
  book.fault ??= { cause };
  const because: Outcome = { name: "failed", reason: `The work run cannot be stored any more: ${String(cause)}` };
  book.asked ??= because;
  book.halt.abort();
  goOn(book);
  book.children.endOthers(because);
}

function goOn(book: Book): void {
  const { waiting } = book;
  book.waiting = [];
  waiting.forEach((go) => go());
}

/** A cancel counts above everything; a signal, unless something was asked before. */
function hear(book: Book, request: Request, seq: number | null): void {
  if (request === "cancel") book.asked = cancelled;
  if (request === "interrupt" || request === "interrupt-now") book.asked ??= interrupted;
  if (book.asked !== null) book.halt.abort();
  book.isPaused = request === "pause" || (book.isPaused && request !== "go-on");
  if (!book.isPaused || book.asked !== null) goOn(book);
  book.children.tell(request);
  const change = {
    lastRequestSeq: seq ?? book.state.lastRequestSeq,
    isPauseAsked: book.isPaused,
    isHeld: book.isPaused,
    isCancelAsked: book.asked?.name === "cancelled",
    isInterruptAsked: book.asked?.name === "interrupted",
  };
  void commit(book, { type: "asked", request, seq }, { change, effects: [] });
}

/** Budgets hold over all roles together; a child that noticed it by itself ends with its own words. */
function watchBudget(book: Book): void {
  const reason = book.asked === null ? overBudget({ ...book.state, ...used(book) }) : null;
  if (reason === null) return;
  book.asked = { name: "stopped", reason };
  book.halt.abort();
  goOn(book);
  book.children.endOthers(book.asked);
}

/** Requests are rows of their own, so that no write of the state can overwrite a cancel (CW-2L). */
async function poll(book: Book, signal: AbortSignal): Promise<void> {
  const { store, clock } = book.machine;
  let seen = book.state.lastRequestSeq;
  try {
    do {
      for (const { seq, request } of await store.readRequests(book.run.id, seen)) {
        seen = seq;
        hear(book, request, seq);
      }
    } while (await clock.wait(requestPollMs, signal));
  } catch (cause) {
    if (!signal.aborted) fail(book, cause);
  }
}

async function tick(book: Book, signal: AbortSignal): Promise<void> {
  while (await book.machine.clock.wait(tickMs, signal)) {
    watchBudget(book);
    await commit(book, progressOf(book), { change: {}, effects: [] });
  }
}
