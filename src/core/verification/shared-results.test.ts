import { describe, expect, it } from "vitest";
import { type Asked, isShareable, shareResults } from "./shared-results.ts";

/** Whether each question, an iteration and a gate, begins without any shared result. */
function check(...asked: [number, string][]): boolean[] {
  let before: Asked = null;
  return asked.map(([iteration, gateId]) => {
    const next = shareResults(before, { iteration, gateId });
    before = next.asked;
    return next.isFresh;
  });
}

describe("results of commands", () => {
  it("are shared by the gates of one iteration, and by nobody later (S2-59)", () => {
    expect(check([1, "a"], [1, "b"], [1, "c"])).toEqual([true, false, false]);
    expect(check([1, "a"], [2, "b"], [2, "a"])).toEqual([true, true, false]);
  });

  it("are not given to a gate that is asked again (S2-59)", () =>
    expect(check([1, "a"], [1, "b"], [1, "a"], [1, "b"])).toEqual([true, false, true, false]));

  it("are kept only of a command that ended by itself and changed nothing (S2-59)", () => {
    expect(isShareable({ isTimedOut: false, isTreeChanged: false })).toBe(true);
    expect(isShareable({ isTimedOut: true, isTreeChanged: false })).toBe(false);
    expect(isShareable({ isTimedOut: false, isTreeChanged: true })).toBe(false);
  });
});
