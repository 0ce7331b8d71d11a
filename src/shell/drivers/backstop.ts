import type { Effect, PendingEffect } from "../../core/run/effect.ts";
import type { RunState } from "../../core/run/state.ts";
import type { Clock } from "../ports.ts";
import { cutAnswer } from "../../core/run/cut-answer.ts";
import type { BackstopOf } from "./drive-engine.ts";
import type { News } from "../../core/run/news.ts";

/** What the driver does about an operation that does not answer its cut. */
export type BackstopTools = {
  /** Ends every process of the effect by SIGKILL; `turnProcess` is the agent where one works. Must not reject. */
  endProcesses: (effect: PendingEffect, turnProcess: RunState["turnProcess"]) => Promise<void>;
  /** The same, and no process of the effect starts any more. Must not reject. */
  abandon: BackstopTools["endProcesses"];
  /** Leaves a remark in the journal. Must not reject. */
  note: (level: "info" | "warning", text: string) => Promise<void>;
};

/** Watches the operation in flight while a run ends, and ends by force what does not settle in time. */
export type Backstop = BackstopOf<RunState, Effect>;

/**
 * A person who cancels, or signals twice, waits at most 5 seconds: the operation in flight gets most of them, the repair
 * of a task list after it the rest, but not less than a repair takes on a busy machine.
 */
const askedMsMax = 3_500;
const repairMsMin = 2_000;
const allMsMax = 4_500;

/** A budget ends an operation without anybody waiting: several times the grace between SIGTERM and SIGKILL. */
const unaskedMsMax = 30_000;

/** Left for the operation's own answer after its processes were killed. */
const answerMs = 500;

type Watched = { effectId: number; isAsked: boolean; answered: AbortController };

/**
 * Gives up on an operation that was cut and does not answer: a hung program, file system or promise must not keep a run
 * from ending. The engine gets the answer of a cut operation; a late one of its own is stale.
 */
export function createBackstop(clock: Clock, tools: BackstopTools, post: (news: News) => void): Backstop {
  let current: RunState | null = null;
  let watched: Watched | null = null;
  let askedAtMs: number | null = null;
  const abandoned = new Set<number>();

  const giveUp = async (effect: PendingEffect, waitMs: number, answered: AbortSignal): Promise<void> => {
    if (!(await clock.wait(waitMs - answerMs, answered))) return;
    await withinTime([tools.endProcesses(effect, current?.turnProcess ?? null)], answerMs);
    if (answered.aborted || !(await clock.wait(answerMs, answered)) || current === null) return;
    const answer = cutAnswer(effect, current);
    if (answer === null) return;
    const name = operationNames[effect.type];
    await withinTime([tools.note("warning", `${name} did not end in time and was abandoned.`)], answerMs);
    abandoned.add(effect.id);
    await withinTime([tools.abandon(effect, current.turnProcess)], answerMs);
    post(answer);
  };
  const withinTime = async (operations: readonly Promise<void>[], ms: number): Promise<void> => {
    const over = new AbortController();
    await Promise.race([Promise.allSettled(operations), clock.wait(ms, over.signal)]);
    over.abort();
  };
  const waitMsOf = (isAsked: boolean): number => {
    if (!isAsked) return unaskedMsMax;
    if (askedAtMs === null) {
      askedAtMs = clock.upMs();
      return askedMsMax;
    }
    return Math.max(repairMsMin, allMsMax - (clock.upMs() - askedAtMs));
  };

  return {
    look(state) {
      current = state;
      const { pending, ending } = state;
      const isAsked = isAskedOf(state);
      const isWatched = watched?.effectId === pending?.id && watched?.isAsked === isAsked;
      if (isWatched && ending !== null) return;
      watched?.answered.abort();
      watched = null;
      if (ending === null || pending === null || state.outcome !== null) return;
      watched = { effectId: pending.id, isAsked, answered: new AbortController() };
      void giveUp(pending, waitMsOf(isAsked), watched.answered.signal);
    },
    async close(operations) {
      watched?.answered.abort();
      const awaited = operations.filter(({ effect }) => !abandoned.has(effect.id));
      const left = new Set(awaited);
      const settling = awaited.map((each) => each.done.finally(() => left.delete(each)));
      await withinTime(settling, isAskedOf(current) ? askedMsMax : unaskedMsMax);
      const turnProcess = current?.turnProcess ?? null;
      await withinTime(
        Array.from(left, ({ effect }) => tools.abandon(effect, turnProcess)),
        answerMs,
      );
    },
  };
}

/** Whether a person waits for the end. */
function isAskedOf(state: RunState | null): boolean {
  return state !== null && (state.isCancelAsked || state.isInterruptAsked);
}

const operationNames: Record<PendingEffect["type"], string> = {
  "begin-turn": "The turn",
  "run-gate": "A check",
  deliver: "The delivery",
  "set-timer": "A wait",
};
