import type { Outcome } from "../run/outcome.ts";
import { type LoopNotice, toastOf } from "./loop-notice.ts";
import type { RalphLoopState } from "./loop-state.ts";
import type { StopAnswer } from "./stop-counts.ts";

/** The result of a stop: the agent continues with a prompt, the loop waits or has ended, or its state cannot be stored. */
export type StopEnd =
  | { kind: "sent-back"; prompt: string; loop: RalphLoopState }
  | { kind: "waiting"; loop: RalphLoopState }
  | { kind: "ended"; loop: RalphLoopState; outcome: Outcome }
  | { kind: "not-stored"; loop: RalphLoopState }
  /** Somebody ended the loop, or began another one, while the checks ran. */
  | { kind: "gone"; loop: RalphLoopState };

/**
 * What follows from it: the agent is sent back, or hears an answer, or the loop judges nothing and everything else that
 * holds for the session does. `isOver`: the counts of refused stops are not needed any more.
 */
export type AfterStop =
  | { kind: "send-back"; prompt: string }
  | { kind: "answer"; answer: StopAnswer; isOver: boolean }
  | { kind: "unjudged" };

/** What follows from a stop of a loop. `pendingWork`: what the agent left running, in people's words. */
export function afterStop(end: StopEnd, pendingWork: readonly string[]): AfterStop {
  switch (end.kind) {
    case "sent-back":
      return { kind: "send-back", prompt: end.prompt };
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
    case "gone":
      return { kind: "answer", answer: {}, isOver: true };
    case "not-stored":
      return { kind: "unjudged" };
  }
}

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
      return null;
  }
}
