import { describe, expect, it } from "vitest";
import { type LoopNotice, logLineOf, toastOf } from "./loop-notice.ts";

const loop = {
  active: true,
  iteration: 3,
  maxIterations: 5,
  completionPromise: "OK",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it",
  sessionId: "s1",
};
const ended = (name: "completed" | "exhausted" | "cancelled" | "waiting"): LoopNotice => ({
  type: "ended",
  loop,
  outcome: { name, reason: "Blocked: no key" },
});

describe("toastOf", () => {
  it.each<[LoopNotice, string, string, string, number | undefined]>([
    [
      { type: "started", loop },
      "Ralph Loop Started",
      "Max 5 iterations. Complete with <promise>OK</promise>",
      "info",
      3000,
    ],
    [{ type: "continuing", loop }, "Ralph Loop", "Iteration 3/5", "info", 2000],
    [ended("completed"), "Ralph Loop Complete!", "Task completed after 3 iteration(s)", "success", 5000],
    [ended("exhausted"), "Ralph Loop Stopped", "Max iterations (5) reached without completion", "warning", 5000],
    [ended("cancelled"), "Ralph Loop Cancelled", "Stopped at iteration 3", "info", 2000],
    [ended("waiting"), "Ralph Loop Stopped", "Blocked: no key", "warning", 5000],
    [
      { type: "not-injected", loop, error: "gone" },
      "Ralph Loop Stopped",
      "Failed to inject continuation: gone",
      "warning",
      5000,
    ],
    [
      { type: "nothing-to-cancel", sessionId: "s1" },
      "No Active Loop",
      "No Ralph Loop is currently running",
      "info",
      undefined,
    ],
  ])("has the texts of the document (S0-23, S0-25, S0-34, S0-36, S0-37, S0-42) %#", (notice, ...texts) => {
    const toast = toastOf(notice);
    expect([toast?.title, toast?.message, toast?.variant, toast?.duration]).toEqual(texts);
  });

  it("is none for what only the log needs", () => expect(toastOf({ type: "aborted", loop })).toBeNull());
});

describe("logLineOf", () => {
  it.each<[LoopNotice, string]>([
    [{ type: "started", loop }, "Loop started"],
    [{ type: "continuing", loop }, "Continuing loop"],
    [ended("completed"), "Completion detected!"],
    [ended("cancelled"), "Loop cancelled"],
    [{ type: "deleted", loop }, "Session deleted, loop cleared"],
    [{ type: "aborted", loop }, "User aborted, loop cleared"],
    [{ type: "in-recovery", loop }, "Skipped: in recovery"],
    [{ type: "orphaned", loop, currentSessionId: "s2" }, "Cleared orphaned state"],
    [{ type: "not-stored", loop }, "Failed to increment iteration"],
    [{ type: "not-injected", loop, error: "gone" }, "Failed to inject continuation"],
  ])("bears the hook's name (S0-48) %#", (notice, text) => expect(logLineOf(notice).text).toBe(`[ralph-loop] ${text}`));

  it("carries the facts as fields (S0-48, S0-33, S0-39)", () => {
    expect(logLineOf({ type: "continuing", loop }).fields).toEqual({
      sessionId: "s1",
      iteration: 3,
      max: 5,
      promise: "OK",
    });
    expect(logLineOf({ type: "not-injected", loop, error: "gone" })).toMatchObject({
      level: "error",
      fields: { error: "gone" },
    });
    expect(logLineOf({ type: "orphaned", loop, currentSessionId: "s2" }).fields).toEqual({
      orphanedSessionId: "s1",
      currentSessionId: "s2",
    });
  });
});
