import { describe, expect, it } from "vitest";
import { isCount, isSessionId, parseLoopState } from "./loop-state.ts";

const state = {
  active: true,
  iteration: 2,
  maxIterations: 5,
  completionPromise: "DONE",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix\nit",
  sessionId: "s1",
};

function check(change: Record<string, unknown>, expected: unknown): void {
  expect(parseLoopState({ ...state, ...change })).toEqual(expected);
}

describe("parseLoopState", () => {
  it("reads exactly the fields of a loop (S0-01)", () => {
    const whole = { ...state, lastIterationAt: "2026-11-15T12:01:00.000Z", description: "d" };
    expect(parseLoopState({ ...whole, other: 1 })).toEqual(whole);
  });

  it("reads the older generation's names (S0-47)", () =>
    expect(
      parseLoopState({
        active: true,
        iteration: 2,
        max_iterations: 5,
        completion_promise: "DONE",
        started_at: state.startedAt,
        prompt: "Fix\nit",
        session_id: "s1",
      }),
    ).toEqual(state));

  it.each<[Record<string, unknown>, string]>([
    [{ active: "yes" }, "active is not true or false"],
    [{ iteration: 0 }, "iteration is not a whole number of at least 1"],
    [{ iteration: 1.5 }, "iteration is not a whole number of at least 1"],
    [{ maxIterations: "5" }, "maxIterations is not a whole number of at least 1"],
    [{ completionPromise: " " }, "completionPromise is blank"],
    [{ startedAt: "soon" }, "startedAt is not a time"],
    [{ prompt: null }, "prompt is not a text"],
    [{ sessionId: "null" }, "sessionId names no session"],
    [{ lastIterationAt: 7 }, "lastIterationAt is not a time"],
    [{ description: 7 }, "description is not a text"],
  ])("refuses %j (CW-0L)", (change, expected) => check(change, expected));

  it.each([[null], [7], ["text"], [[state]]])("refuses %j (CW-0L)", (value) =>
    expect(parseLoopState(value)).toBe("it is not an object"),
  );
});

describe("isSessionId", () => {
  it("is no missing owner (R-21)", () =>
    expect(["", " ", "null", "undefined", "s1"].map(isSessionId)).toEqual([false, false, false, false, true]));
});

describe("isCount", () => {
  it("is a whole number of at least 1 (CW-0I, R-53)", () =>
    expect([0, -1, 1.5, Number.NaN, Infinity, "3", 1, 100].map(isCount)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
      true,
    ]));
});
