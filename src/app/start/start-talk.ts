import type { RunRecord } from "../../shell/ports.ts";

/** How whoever starts a run takes part: what is said to a person, and what a person is asked. */
export type StartTalk = {
  /** A line before the run begins. */
  say: (line: string) => void;
  /** How the agent works, in one line at the start of the run. */
  introduce: (line: string) => void;
  /** A run of the same kind was cut off here: whether to resume it instead of starting another. */
  isResumed: (cutOff: RunRecord, sentence: string) => Promise<boolean>;
  /** Tracked files have changes: whether they may be delivered with the agent's work. */
  areChangesAccepted: (sentence: string) => Promise<boolean>;
};
