import { describe, expect, it } from "vitest";
import { equalReasonsMax } from "../../policies/equal-reasons.ts";
import { countBlock, countRefusal, judgeListed, noStops, sendBack, type StopCounts } from "./stop-counts.ts";

/** Counts after so many blocks for one reason. */
function blocked(times: number, reason = "red"): StopCounts {
  return Array.from({ length: times }).reduce<StopCounts>((now) => countBlock(now, { reason, isRow: true }), noStops);
}

describe("the counts of blocked stops", () => {
  it("count equal reasons in a row, and blocks without a tool call between them", () => {
    expect(blocked(3)).toMatchObject({ blocks: 3, equalReasons: 3 });
    expect(countBlock(blocked(3), { reason: "other", isRow: true })).toMatchObject({ blocks: 4, equalReasons: 1 });
    expect(countBlock(blocked(3), { reason: "red", isRow: false })).toMatchObject({ blocks: 1, equalReasons: 4 });
  });

  it("allow a stop after as many equal reasons as the one limit says (CW-4R)", () => {
    const refused = { reason: "red", isRow: true };
    expect(countRefusal(blocked(equalReasonsMax - 1), refused).isAllowed).toBe(false);
    expect(countRefusal(blocked(equalReasonsMax), refused).isAllowed).toBe(true);
    expect(countRefusal(blocked(1), refused, 1).isAllowed).toBe(true);
  });
});

describe("a stop of a run on a task list", () => {
  const reason = { text: "red", isOnce: false };

  it("is blocked by its reason until that was given as often as it may be, and then counted from the start (CW-4R)", () => {
    expect(judgeListed(noStops, reason, false)).toMatchObject({
      answer: { block: "red" },
      counts: { equalReasons: 1 },
    });
    const last = judgeListed(blocked(equalReasonsMax), reason, true);
    expect(last.counts).toBeNull();
    expect(last.answer).toEqual({ notice: `The stop is allowed after ${equalReasonsMax} equal reasons: red` });
  });

  it("is blocked once by a reason that only reminds", () => {
    expect(judgeListed(noStops, { ...reason, isOnce: true }, false).answer).toEqual({ block: "red" });
    expect(judgeListed(blocked(1), { ...reason, isOnce: true }, true).answer).toHaveProperty("notice");
  });

  it("is allowed without a reason, and nothing is counted any more", () =>
    expect(judgeListed(blocked(3), null, true)).toEqual({ answer: {}, counts: null }));
});

describe("the prompt of a loop for an agent that stopped", () => {
  const words = { prompt: "go", line: "Ralph: go" };
  const sending = { ...words, isContinued: true, hasUsedTools: false, blocksMax: 3, blocksRemedy: "set X" };

  it("blocks the stop, as often as the host takes it (R-107)", () => {
    expect(sendBack(blocked(2), sending)).toMatchObject({ answer: { block: "go" }, counts: { blocks: 3 } });
    const paused = sendBack(blocked(3), sending);
    expect(paused.answer.notice).toContain("after 3 blocked stops in a row without a tool call. Type anything");
    expect(paused.answer.notice).toContain("to change it, set X.");
    expect(paused.counts).toMatchObject({ blocks: 0, isUndelivered: true });
  });

  it("is given where the agent used a tool, where a person spoke, and where the host has no limit", () => {
    for (const change of [{ hasUsedTools: true }, { isContinued: false }, { blocksMax: null }])
      expect(sendBack(blocked(3), { ...sending, ...change }).answer).toEqual({ block: "go", line: "Ralph: go" });
  });
});
