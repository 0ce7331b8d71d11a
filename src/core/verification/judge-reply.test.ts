import { describe, expect, it } from "vitest";
import { type AfterReply, afterReply, type JudgeReply } from "./judge-reply.ts";

const call = {
  answer: null,
  startError: null,
  isTimedOut: false,
  exitCode: 1,
  output: "",
  errorOutput: "Network down.",
};

function check(change: Partial<JudgeReply>, expected: Partial<AfterReply>): void {
  const reply = {
    call,
    isTreeChanged: false,
    number: 1,
    triesMax: 3,
    onJudgeError: "wait" as const,
    hasTimeFor: () => true,
  };
  expect(afterReply({ ...reply, ...change })).toMatchObject(expected);
}

const said = (answer: string) => ({ ...call, answer, exitCode: 0 });

describe("the reply of a judge", () => {
  it("is a verdict when it can be read", () => {
    check({ call: said("VERIFIED") }, { kind: "verdict", isPassed: true, isFallback: false });
    check({ call: said("NOT_VERIFIED: a is open") }, { kind: "verdict", isPassed: false });
  });

  it("does not count when the judge changed the work tree, whatever it says (S2-26)", () => {
    const reason = "The judge changed the work tree; its answer does not count";
    for (const each of [call, said("VERIFIED")])
      check({ call: each, isTreeChanged: true }, { kind: "verdict", isPassed: false, reason });
  });

  it("ends the run at once when no further call can mend its trouble (CW-2J)", () => {
    const reason = "The judge cannot be asked: Invalid API key. See verification.judge.";
    check({ call: { ...call, errorOutput: "Invalid API key." } }, { kind: "stop", name: "failed", reason });
  });

  it("that cannot be used is asked for again, later each time, with a reminder when it said something (CW-2J)", () => {
    check({}, { kind: "again", waitMs: 5000, isReminded: false });
    check({ number: 2, call: said("Hm") }, { kind: "again", waitMs: 30_000, isReminded: true, words: "Hm" });
    check({}, { remark: expect.stringContaining("(try 1 of 3); it is asked again in 5 s.") as string });
  });

  it("that cannot be used waits for a person when the tries or the time are used up, unless the settings differ (CW-2J)", () => {
    const reason = "The judge gave no usable answer in 3 tries; it said last: Network down";
    check({ number: 3 }, { kind: "stop", name: "waiting", reason: `${reason}.`, remark: `${reason}.` });
    check({ number: 3, onJudgeError: "reject" }, { kind: "verdict", isPassed: false, reason });
    check({ number: 3, onJudgeError: "string_match" }, { kind: "verdict", isPassed: true, isFallback: true });
    check({ hasTimeFor: (waitMs) => waitMs < 5000 }, { kind: "stop", name: "waiting" });
  });
});
