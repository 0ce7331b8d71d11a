import { describe, expect, it } from "vitest";
import {
  areChildrenEnded,
  isDoneStale,
  isRestart,
  isStaleDoneRemoved,
  isTurnSkipped,
  isWaitMessage,
  isWaitOver,
  nextWait,
  waitsByExitCode,
  waitsByFile,
  waitsByMessage,
} from "./supervised-turn.ts";

describe("a turn of a supervised task", () => {
  it("starts no agent where DONE is there, where the task waits, and for a look alone (S3-05)", () => {
    const none = { isDone: false, isWaiting: false, isRecheck: false };
    expect(isTurnSkipped(none)).toBe(false);
    for (const key of ["isDone", "isWaiting", "isRecheck"]) expect(isTurnSkipped({ ...none, [key]: true })).toBe(true);
  });

  it("removes a DONE of before only by --fresh, and only while no agent of the run can have made it (CW-3G)", () => {
    const run = { isFresh: true, isUnbegun: true, iteration: 1 };
    expect(isStaleDoneRemoved(run)).toBe(true);
    for (const change of [{ isFresh: false }, { isUnbegun: false }, { iteration: 2 }])
      expect(isStaleDoneRemoved({ ...run, ...change })).toBe(false);
    expect([isDoneStale(5, 5), isDoneStale(6, 5)]).toEqual([true, false]);
  });

  it("tells the agent to continue in a restart and after a resume (CW-3I)", () => {
    expect(isRestart({ iteration: 1, isResumed: false })).toBe(false);
    expect(isRestart({ iteration: 2, isResumed: false })).toBe(true);
    expect(isRestart({ iteration: 1, isResumed: true })).toBe(true);
  });
});

describe("a task that waits without a restart", () => {
  it("is one whose agent ended with exit code 42, and no other (R-86)", () => {
    expect(waitsByExitCode(42, "")).toBe("waits: exit code 42");
    for (const code of [0, 1, null]) expect(waitsByExitCode(code, "no")).toBeNull();
  });

  it("says why in the words of the agent, on one line (S3-28)", () => {
    expect(waitsByExitCode(42, "a warning\nThe key is missing\n")).toBe("waits: The key is missing (exit code 42)");
    expect(waitsByFile("")).toBe("waits: the file WAIT_WITHOUT_RESTART");
    expect(waitsByFile("\u001B[2J For a review \nand more")).toBe(
      "waits: For a review (the file WAIT_WITHOUT_RESTART)",
    );
    const message = { id: "MSG-1", body: "Waiting for user input" };
    expect(waitsByMessage(message)).toBe("waits: Waiting for user input (message MSG-1 on the bus)");
    expect(waitsByMessage({ id: "MSG-1", body: "x".repeat(1000) }).length).toBeLessThan(400);
  });

  it("is asked for by a message of this run, not by an older one (CW-3C)", () => {
    const message = { type: "Wait_Without_Restart", at: "2026-11-15T12:00:00.000Z" };
    const at = Date.parse(message.at);
    expect([isWaitMessage(message, at), isWaitMessage(message, at + 1)]).toEqual([true, false]);
    expect(isWaitMessage({ ...message, type: "INFO" }, at)).toBe(false);
  });

  it("waits no more after a resume of just that outcome, unless a cancel is asked for (CW-3C)", () => {
    expect(isWaitOver("waiting", false)).toBe(true);
    expect([isWaitOver("waiting", true), isWaitOver("stopped", false), isWaitOver(null, false)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("children of a supervised task", () => {
  it("are waited for until none is there, also those born meanwhile, or the time is over (R-96)", () => {
    expect(nextWait(0, 10)).toBe("gone");
    expect(nextWait(2, 10)).toBe("wait");
    expect(nextWait(2, 0)).toBe("timeout");
  });

  it("that outlive the wait are ended unless the settings leave them alone (CW-3E)", () =>
    expect([areChildrenEnded("terminate"), areChildrenEnded("orphan")]).toEqual([true, false]));
});
