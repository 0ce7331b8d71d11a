import type { RalphLoopState } from "../../src/core/session/loop/loop-state.ts";

/** A loop of the session `s1` in its first iteration. */
export const sampleLoop: RalphLoopState = {
  active: true,
  iteration: 1,
  maxIterations: 5,
  completionPromise: "DONE",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it",
  sessionId: "s1",
};
