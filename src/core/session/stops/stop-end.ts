import type { Outcome } from "../../run/outcome.ts";
import { continuationLine } from "../loop/continuation-line.ts";
import { continuationPrompt } from "../loop/continuation-prompt.ts";
import { type LoopNotice, toastOf } from "../loop/loop-notice.ts";
import type { RalphLoopState } from "../loop/loop-state.ts";
import type { SessionRecord } from "../session-record.ts";
import type { StopAnswer } from "./stop-counts.ts";

/** The result of a stop: the agent continues with a prompt, also as one line; the loop waits or has ended, or its state cannot be stored. */
export type StopEnd =
  | { kind: "sent-back"; prompt: string; line: string; loop: RalphLoopState }
  | { kind: "waiting"; loop: RalphLoopState }
  | { kind: "ended"; loop: RalphLoopState; outcome: Outcome }
  | { kind: "not-stored"; loop: RalphLoopState }
  /** Somebody ended the loop while this stop was judged. */
  | { kind: "gone"; loop: RalphLoopState }
  /** Another process judges the loop's stop. */
  | { kind: "overtaken"; loop: RalphLoopState };

/**
 * The end of a stop that another process overtook: it moved the loop since this one read it, so that what is stored now
 * decides. No such stop passes while a loop lives. Null: the session has no loop any more.
 */
export function overtakenEnd(read: RalphLoopState, now: SessionRecord | null, hasWork: boolean): StopEnd {
  if (now === null || !now.loop.active) return { kind: "gone", loop: read };
  const { loop, run } = now;
  if (run.pending?.type === "set-timer" && hasWork) return { kind: "waiting", loop };
  return run.turnProcess === null ? { kind: "overtaken", loop } : sentBackEnd(now);
}

/** The turn began with the prompt of its iteration. */
export function sentBackEnd({ loop, run }: SessionRecord): StopEnd {
  const { iteration } = loop;
  const prompt = continuationPrompt(loop, iteration, run.feedback);
  return { kind: "sent-back", prompt, line: continuationLine(loop, iteration, run.feedback), loop };
}

/**
 * What follows from it: the agent is sent back, or hears an answer, or the loop judges nothing and everything else that
 * holds for the session does. `isOver`: the counts of refused stops are not needed any more.
 */
export type AfterStop =
  | { kind: "send-back"; prompt: string; line: string }
  | { kind: "answer"; answer: StopAnswer; isOver: boolean }
  | { kind: "unjudged" };

/** What follows from a stop of a loop. `pendingWork`: what the agent left running, in people's words. */
export function afterStop(end: StopEnd, pendingWork: readonly string[]): AfterStop {
  switch (end.kind) {
    case "sent-back":
      return { kind: "send-back", prompt: end.prompt, line: end.line };
    case "waiting": {
      const notice = `Ralph loop: waits for ${pendingWork.join(", ")}, then continues.`;
      return { kind: "answer", answer: { notice }, isOver: false };
    }
    case "ended": {
      const toast = toastOf({ type: "ended", loop: end.loop, outcome: end.outcome });
      return {
        kind: "answer",
        answer: toast === null ? {} : { notice: `${toast.title} ${toast.message}` },
        isOver: true,
      };
    }
    case "overtaken":
      return { kind: "answer", answer: { block: overtakenText }, isOver: false };
    case "gone":
    case "not-stored":
      return { kind: "unjudged" };
  }
}

const overtakenText =
  "Another process judges this stop of the Ralph loop, and nobody has verified it yet. Continue with the task; when it is done, stop again.";

/** What is logged of it. */
export function noticeOf(end: StopEnd): LoopNotice | null {
  const { loop } = end;
  switch (end.kind) {
    case "sent-back":
      return { type: "continuing", loop };
    case "ended":
      return { type: "ended", loop, outcome: end.outcome };
    case "not-stored":
      return { type: "not-stored", loop };
    case "waiting":
    case "gone":
    case "overtaken":
      return null;
  }
}
