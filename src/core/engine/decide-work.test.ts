import { describe, expect, it } from "vitest";
import { checks, claiming, done, move, play, turn, type Played } from "../../../tests/engine/play.ts";
import { plainAnswer } from "../run/gate-answer.ts";
import { noSpend } from "../agents/spend.ts";
import type { Move } from "../../../tests/engine/play.ts";

const role = { kind: "work", criteria: 1, iterationsMax: 2 } as const;

/** The criterion was checked and refused, for this reason. */
function refused(reason: string): Move {
  const verdict = {
    index: 0,
    name: "coder",
    isPassed: false,
    exitCode: 1,
    isTimedOut: false,
    durationMs: 1,
    reason,
    output: { text: "" },
    logFile: null,
  };
  return move((effectId) => [{ type: "gate-finished", effectId, ...plainAnswer([verdict], { ...noSpend, usd: 0.5 }) }]);
}

describe("a role's run", () => {
  const check = (played: Played, orders: string[], outcome: [string, string] | null): void => {
    expect(played.orders).toEqual(orders);
    const found = played.state.outcome;
    expect(found === null ? null : [found.name, found.reason]).toEqual(outcome);
  };

  it("verifies a found promise and ends when it is verified (S2-14, S2-15, S2-61)", () =>
    check(play(role, done, checks(0)), ["turn 1", "criteria", "completed"], ["completed", "Completion verified"]));

  it("goes on when it is not verified, and counts what the judge spent (S2-17)", () => {
    const played = play(role, done, refused("no"));
    check(played, ["turn 1", "criteria", "turn 2"], null);
    expect(played.state.spend.usd).toBe(0.5);
    expect(played.state.feedback).toMatchObject([{ kind: "reason", reason: "no" }]);
  });

  it.each([
    "Output doesn't contain: passed",
    "NOT_VERIFIED: all verified except x",
    "Stage 'tests_passed' failed: verified",
  ])("is exhausted at the limit, whatever the reason says: %s (S2-16, CW-2C, R-66)", (reason) =>
    check(
      play({ ...role, iterationsMax: 1 }, done, refused(reason)),
      ["turn 1", "criteria", "exhausted"],
      ["exhausted", `Max iterations reached. Last verification: ${reason}`],
    ),
  );

  it("is exhausted without a promise (S2-12, S2-13)", () =>
    check(
      play(role, turn(), turn()),
      ["turn 1", "turn 2", "exhausted"],
      ["exhausted", "Max iterations reached without completion promise"],
    ));

  it("never verifies a wrong promise, so a passing command cannot complete it (CW-2B, R-14)", () => {
    const played = play(role, claiming({ wrongPromise: "OTHER" }));
    check(played, ["turn 1", "turn 2"], null);
    expect(played.state.feedback).toEqual([{ kind: "wrong-promise", found: "OTHER", expected: "DONE" }]);
  });
});
