import { describe, expect, it } from "vitest";
import { afterStop, noticeOf } from "./stop-end.ts";

const loop = {
  active: true,
  iteration: 2,
  maxIterations: 5,
  completionPromise: "DONE",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it",
  sessionId: "s1",
};
const outcome = { name: "completed" as const, reason: "The claim was verified" };

describe("the end of a stop in a loop", () => {
  it("sends the agent back with the prompt, and is logged", () => {
    const end = { kind: "sent-back" as const, prompt: "go", loop };
    expect(afterStop(end, [])).toEqual({ kind: "send-back", prompt: "go" });
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
