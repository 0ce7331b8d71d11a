import { noClaims } from "../claims/claim-report.ts";
import { describe, expect, it } from "vitest";
import {
  after,
  ask,
  claiming,
  done,
  goOn,
  type Move,
  play,
  timerFires,
  type Shape,
  turn,
  turnEnds,
  turnStarts,
} from "../../../tests/engine/play.ts";
import type { Unsettled } from "../run/policy.ts";

/** A loop in a living session: half a second before each continuation, five after an error. */
const session: Shape = {
  kind: "session",
  restartDelayMs: 500,
  context: "continue",
  settling: { waitMs: { error: 5000, background: 3000, silence: 60_000 }, longestMs: 3_600_000 },
};

const unsettled = (because: Unsettled): Move => ({
  news: () => [{ type: "turn-unsettled", because }],
  passMs: 0,
});
const reopened: Move = { news: () => [{ type: "turn-reopened" }], passMs: 0 };
const claims = { isPromised: true };

/** The orders a session's loop gives, in words. */
function check(moves: Move[], expected: string[]): void {
  expect(play(session, ...moves).orders).toEqual(expected);
}

describe("decide, for a loop in a session", () => {
  it("waits the continuation delay before each turn but the first (S0-37)", () =>
    check([turn(), timerFires, done], ["turn 1", "wait for continuation-delay", "turn 2", "completed"]));

  it("does not wait where nothing follows (S0-36)", () =>
    check(
      [turn(), timerFires, turn(), timerFires, turn()],
      ["turn 1", "wait for continuation-delay", "turn 2", "wait for continuation-delay", "turn 3", "exhausted"],
    ));

  it("believes the end of a turn only when the recovery window is over, and looks again then (CW-0E, R-34)", () =>
    check(
      [turnStarts, unsettled("error"), after(1000, turnEnds()), after(4000, timerFires), turnEnds(), timerFires],
      ["turn 1", "wait for recovery", "turn 1", "wait for continuation-delay", "turn 2"],
    ));

  it("completes by what the second look finds (CW-0E)", () =>
    check(
      [turnStarts, unsettled("error"), turnEnds(), after(5000, timerFires), claiming(claims)],
      ["turn 1", "wait for recovery", "turn 1", "completed"],
    ));

  it("ends the window after the second of two errors (R-35)", () =>
    check(
      [
        turnStarts,
        unsettled("error"),
        after(1000, turnEnds()),
        after(2000, unsettled("error")),
        after(2000, timerFires),
      ],
      ["turn 1", "wait for recovery", "wait for recovery"],
    ));

  it("lets an error during the delay hold the continuation back (CW-0F)", () =>
    check(
      [turn(), unsettled("error"), after(500, timerFires)],
      ["turn 1", "wait for continuation-delay", "wait for recovery"],
    ));

  it("judges a turn whose error is longer ago at once (CW-0E)", () =>
    check([turnStarts, unsettled("error"), after(5000, turnEnds(claimed()))], ["turn 1", "completed"]));

  it("drops the continuation when something is said during the delay, and counts on (CW-0F, R-31)", () =>
    check(
      [turn(), reopened, turnEnds(), timerFires],
      ["turn 1", "wait for continuation-delay", "cut", "turn 1", "wait for continuation-delay", "turn 2"],
    ));

  it("hears a reopening during waits only", () => {
    check([turnStarts, reopened, turnEnds(claimed())], ["turn 1", "completed"]);
    expect(goOn(play({ ...session, settling: null }, turn()), reopened).orders).toEqual([
      "turn 1",
      "wait for continuation-delay",
    ]);
  });

  it("cancels during the recovery wait for good (R-36)", () =>
    check(
      [turnStarts, unsettled("error"), turnEnds(), ask("cancel"), timerFires],
      ["turn 1", "wait for recovery", "cut", "cancelled"],
    ));

  it("ends, without counting, when the continuation could not be given (CW-0G, R-33)", () => {
    const startError = { kind: "prompt" as const, message: "no such session" };
    const { state, orders } = play(session, turn(), timerFires, turnEnds({ startError }));
    expect(orders.at(-1)).toBe("failed");
    expect(state.iteration).toBe(1);
  });
});

function claimed() {
  return {
    claims: { ...noClaims, ...claims },
  };
}
