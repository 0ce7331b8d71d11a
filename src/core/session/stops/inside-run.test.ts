import { describe, expect, it } from "vitest";
import { isStandingBack, judgeOfStop, mayLoop } from "./inside-run.ts";

describe("a session inside a run", () => {
  it("has no loop of its own (CB-06)", () => expect([mayLoop(null), mayLoop("r1")]).toEqual([true, false]));

  it("is left to the hooks that the run gave its agent", () => {
    expect(isStandingBack({ runId: "r1", isForRun: false })).toBe(true);
    expect(isStandingBack({ runId: "r1", isForRun: true })).toBe(false);
    expect(isStandingBack({ runId: null, isForRun: false })).toBe(false);
  });
});

describe("a stop", () => {
  it("is judged by the task list of its run, else by its session, and by nobody without either (S4-39)", () => {
    const own = { isListed: false, isForRun: false, hasSession: true };
    expect(judgeOfStop(own)).toBe("session");
    expect(judgeOfStop({ isListed: true, isForRun: true, hasSession: false })).toBe("list");
    expect(judgeOfStop({ ...own, isForRun: true })).toBe("nobody");
    expect(judgeOfStop({ ...own, hasSession: false })).toBe("nobody");
  });
});
