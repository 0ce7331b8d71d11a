import { noClaims } from "../claims/claim-report.ts";
import { describe, expect, it } from "vitest";
import {
  ask,
  checks,
  goOn,
  type Move,
  type Played,
  type Shape,
  play,
  timerFires,
  turn,
  turnEnds,
} from "../../../tests/engine/play.ts";
import type { SupervisedEnd } from "../agents/turn-report.ts";

const task: Shape = {
  kind: "supervise",
  claimBy: "done-file",
  iterationsMax: 3,
  restartDelayMs: 1000,
  isRestartDelayBounded: true,
  failuresMax: null,
};

const absent: SupervisedEnd = { isDone: false, waiting: null };
const present: SupervisedEnd = { isDone: true, waiting: null };
const ends = (supervised: SupervisedEnd = absent, exitCode = 0): Move => turn({ exitCode, result: "none", supervised });
const looks = (supervised: SupervisedEnd): Move =>
  turnEnds({ isSkipped: true, exitCode: null, result: "none", supervised });

function check(policy: Shape, moves: Move[], expected: string[]): string | undefined {
  const played = play({ ...task, ...policy }, ...moves);
  expect(played.orders).toEqual(expected);
  return played.state.outcome?.reason;
}

const delaysOf = ({ effects }: Played): number[] =>
  effects.flatMap((effect) => (effect.type === "set-timer" ? [effect.durationMs] : []));

function waitsAfterFailures(policy: Shape): number[] {
  const fails = ends(absent, 1);
  return delaysOf(play({ ...task, iterationsMax: 20, ...policy }, fails, timerFires, fails, timerFires, fails));
}

describe("a supervised task", () => {
  it("completes by DONE after its first run (S3-09, S3-13)", () => {
    expect(check({}, [ends(present)], ["turn 1", "completed"])).toBe("DONE found after run 1.");
  });

  it("completes by DONE after a run that failed: the rule on failed turns is about tags (S3-09)", () => {
    check({}, [ends(present, 1)], ["turn 1", "completed"]);
  });

  it("is restarted after exit code 0 without DONE, with the delay between (S3-10, S3-11, CW-3F)", () => {
    check({}, [ends(), timerFires, ends(present)], ["turn 1", "wait for restart-delay", "turn 2", "completed"]);
  });

  it("runs no agent when DONE is there before the run (S3-05, CW-3G)", () => {
    expect(check({}, [looks(present)], ["turn 1", "completed"])).toBe("DONE found before run 1.");
  });

  it("waits for children before it completes (S3-18)", () => {
    check({ hasChildren: true }, [ends(present), checks(0)], ["turn 1", "children", "completed"]);
  });

  it("runs at most as often as it may be restarted, and looks for DONE once more before it gives up (S3-06, S3-10, S3-12, CW-3D)", () => {
    const runs = [ends(), timerFires, ends(), timerFires, ends()];
    const orders = ["turn 1", "wait for restart-delay", "turn 2", "wait for restart-delay", "turn 3", "turn 3"];
    expect(check({}, [...runs, looks(absent)], [...orders, "exhausted"])).toBe(
      "Max restarts exceeded: no DONE within 3 runs.",
    );
    check({}, [...runs, looks(present)], [...orders, "completed"]);
  });

  it("waits after the last run where an older version stored it so", () => {
    const { isRestartDelayBounded: _, ...stored } = task;
    const played = play({ ...stored, iterationsMax: 1 }, ends());
    expect(played.orders).toEqual(["turn 1", "wait for restart-delay"]);
  });

  it("says how the last run failed when it gives up without any DONE", () => {
    const runs = [ends(), timerFires, ends(absent, 9), timerFires, ends(absent, 1), looks(absent)];
    expect(play(task, ...runs).state.outcome?.reason).toBe(
      "Max restarts exceeded: no DONE within 3 runs. The last run failed with exit code 1.",
    );
  });

  it("says how often DONE was refused, and why the last time, when it gives up", () => {
    const refused = [ends(present), checks(1), timerFires];
    const runs = [...refused, ...refused, ends(), looks(absent)];
    expect(play({ ...task, criteria: 1 }, ...runs).state.outcome?.reason).toBe(
      "Max restarts exceeded: no accepted DONE within 3 runs. DONE was refused 2 times, last after run 2: check 0 exited with code 1",
    );
  });

  it("waits without a restart when the agent says so, unless DONE is there (S3-27, S3-28, CW-3C, R-86)", () => {
    expect(check({}, [ends({ isDone: false, waiting: "Exit code 42." }, 42)], ["turn 1", "waiting"])).toBe(
      "Exit code 42.",
    );
    check({}, [ends({ isDone: true, waiting: "Exit code 42." }, 42)], ["turn 1", "completed"]);
  });

  it("is not completed by a tag", () => {
    const claims = { ...noClaims, response: "DONE", isPromised: true };
    check({}, [turn({ claims, supervised: absent })], ["turn 1", "wait for restart-delay"]);
  });

  it("never stops for failures in a row, and waits the same delay after each (S3-07, S3-10)", () =>
    expect(waitsAfterFailures({})).toEqual([1000, 1000, 1000]));

  it("waits longer after each failure in a row where the policy says so (S3-07)", () => {
    const waits = waitsAfterFailures({ retryDelayMs: 1000 });
    expect(waits.map((ms) => ms >= 1000)).toEqual([true, true, true]);
    expect(waits[2]).toBeGreaterThan(2500);
  });

  it("waits the delay before a start that failed for want of resources is repeated (S3-10)", () => {
    const lacking = turnEnds({ startError: { kind: "resources", message: "no process left" } });
    expect(delaysOf(play(task, lacking))).toEqual([1000]);
  });

  it("never waits past the time budget (S3-10)", () =>
    expect(delaysOf(play({ ...task, restartDelayMs: 60_000, budgetMs: 5000 }, ends()))[0]).toBeLessThanOrEqual(5000));

  it("ends at once when it is cancelled during the delay (S3-04, R-87)", () => {
    const cancelled = goOn(play(task, ends()), ask("cancel"));
    expect(cancelled.state.outcome?.name).toBe("cancelled");
  });

  it("stops at once when the agent cannot be started (S3-32, S3-33, CW-3B)", () => {
    const missing = turnEnds({ startError: { kind: "not-found", message: "no such program" } });
    check({}, [missing], ["turn 1", "failed"]);
  });
});
