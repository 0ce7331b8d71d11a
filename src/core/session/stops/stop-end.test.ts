import { describe, expect, it } from "vitest";
import { beginSession } from "../session-journal.ts";
import { afterStop, noticeOf, overtakenEnd } from "./stop-end.ts";

const loop = {
  active: true,
  iteration: 2,
  maxIterations: 5,
  completionPromise: "DONE",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it",
  sessionId: "s1",
};
const given = { directory: "/p", host: "h", continuationDelay: 0, criterionCount: 1, at: 7 };
const outcome = { name: "completed" as const, reason: "The claim was verified" };

describe("the end of a stop in a loop", () => {
  it("sends the agent back with the prompt, and is logged", () => {
    const end = { kind: "sent-back" as const, prompt: "go", line: "Ralph: go", loop };
    expect(afterStop(end, [])).toEqual({ kind: "send-back", prompt: "go", line: "Ralph: go" });
    expect(noticeOf(end)).toEqual({ type: "continuing", loop });
  });

  it("names what a loop waits for, and keeps the counts", () => {
    const after = afterStop({ kind: "waiting", loop }, ["a build", "a test"]);
    expect(after).toMatchObject({
      isOver: false,
      answer: { notice: "Ralph loop: waits for a build, a test, then continues." },
    });
    expect(noticeOf({ kind: "waiting", loop })).toBeNull();
  });

  it("tells the person how a loop ended", () => {
    const end = { kind: "ended" as const, loop, outcome };
    expect(afterStop(end, [])).toMatchObject({ isOver: true, answer: { notice: expect.any(String) as string } });
    expect(noticeOf(end)).toMatchObject({ type: "ended" });
  });

  it("leaves the stop of a loop whose record cannot be stored to everything else that holds", () => {
    expect(afterStop({ kind: "not-stored", loop }, [])).toEqual({ kind: "unjudged" });
    expect(noticeOf({ kind: "not-stored", loop })).toEqual({ type: "not-stored", loop });
  });
});

describe("a stop that another process overtakes", () => {
  const { record } = beginSession(loop, given);
  const wait = { type: "set-timer" as const, id: 9, durationMs: 5, dueAt: 5, reason: "continuation-delay" as const };
  const waiting = { ...record, run: { ...record.run, pending: wait, turnProcess: null } };

  it("sends the agent back with the prompt of the turn that the other one began", () => {
    const end = overtakenEnd(loop, record, false);
    expect(end).toMatchObject({ kind: "sent-back", prompt: expect.stringContaining("ITERATION 2/5") as string });
  });

  it("does not pass while the other one is at work", () => {
    const end = overtakenEnd(loop, waiting, false);
    expect(end.kind).toBe("overtaken");
    expect(afterStop(end, [])).toMatchObject({
      answer: { block: expect.stringContaining("Another process") as string },
    });
    expect(noticeOf(end)).toBeNull();
  });

  it("waits with it for work that wakes the agent", () =>
    expect(overtakenEnd(loop, waiting, true).kind).toBe("waiting"));

  it("is left to everything else that holds when the loop has ended", () => {
    for (const now of [null, { ...record, loop: { ...loop, active: false } }]) {
      const end = overtakenEnd(loop, now, true);
      expect(end.kind).toBe("gone");
      expect(afterStop(end, [])).toEqual({ kind: "unjudged" });
    }
  });
});
