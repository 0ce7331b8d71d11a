import { noClaims } from "../claims/claim-report.ts";
import { describe, expect, it } from "vitest";
import {
  after,
  checks,
  claiming,
  delivered,
  done,
  failing,
  goOn,
  type Move,
  play,
  progress,
  startAt,
  timerFires,
  type Shape,
  turn,
  turnEnds,
  turnStarts,
} from "../../../tests/engine/play.ts";
import { noSpend } from "../agents/spend.ts";
import type { Failure } from "../agents/agent-event.ts";

type Given = { policy?: Shape; moves: Move[] };

/** Plays a run and compares every order it gave, and how it ended. */
function check({ policy = {}, moves }: Given, orders: string[], reason: string | null = null): void {
  const played = play(policy, ...moves);
  expect(played.orders).toEqual(orders);
  expect(played.state.outcome?.reason ?? null).toBe(reason);
}

const hour = 3_600_000;
const limited = (resetAt: number | null): Move =>
  turn({ result: "error", exitCode: 1, failure: { kind: "limit", message: "limit", resetAt } });
const refused = (kind: Failure["kind"], message: string): Move =>
  turn({ result: "error", exitCode: 1, failure: { kind, message, resetAt: null } });
const notStarted = (kind: "not-found" | "resources"): Move =>
  turnEnds({ startError: { kind, message: "claude was not found." }, exitCode: null, result: "none" });

describe("a failed turn", () => {
  it("counts as an iteration and the loop goes on (CB-05, CW-1K)", () =>
    check({ moves: [failing, failing, done] }, ["turn 1", "turn 2", "turn 3", "completed"], accepted(3)));

  it("is one without a result that exits non-zero, times out or is killed; the loop goes on (R-17)", () => {
    for (const report of [
      { exitCode: 3, result: "none" as const },
      { exitCode: null, signal: "SIGKILL", result: "none" as const },
      { exitCode: null, timedOut: "idle" as const, result: "none" as const },
      { exitCode: 0, result: "error" as const },
    ]) {
      const claims = { ...noClaims, isPromised: true };
      check({ moves: [turn({ ...report, claims })] }, ["turn 1", "turn 2"]);
    }
  });

  it("is not one whose result was a success, whatever the exit code", () =>
    check(
      { moves: [turn({ exitCode: 143, result: "success", claims: { ...noClaims, isPromised: true } })] },
      ["turn 1", "completed"],
      accepted(1),
    ));

  it("is followed by a wait that doubles with each failure in a row, and ends with a success", () => {
    const policy = { retryDelayMs: 1000, iterationsMax: 9 };
    const played = play(policy, failing, timerFires, failing, timerFires, turn(), failing);
    const waits = played.effects.flatMap((effect) => (effect.type === "set-timer" ? [effect.durationMs] : []));
    expect(waits.map((ms) => Math.round(ms / 1000))).toEqual([1, 2, 1]);
    expect(played.orders.slice(0, 3)).toEqual(["turn 1", "wait for back-off", "turn 2"]);
  });

  it("is not waited for when there is no next turn", () =>
    check(
      { policy: { retryDelayMs: 1000, iterationsMax: 1 }, moves: [failing] },
      ["turn 1", "exhausted"],
      "No accepted claim within 1 iteration. The last turn failed with exit code 1.",
    ));

  it("is named by the outcome with its cause (S1-47)", () =>
    check(
      {
        policy: { iterationsMax: 1 },
        moves: [turn({ exitCode: 2, result: "none", errorOutput: "error: unknown option\nUsage: agent\n" })],
      },
      ["turn 1", "exhausted"],
      "No accepted claim within 1 iteration. The last turn failed with exit code 2: error: unknown option.",
    ));

  it("stops the run at the breaker's count in a row, with the last failure named (CB-05, CB-08)", () =>
    check(
      { policy: { failuresMax: 2 }, moves: [failing, turn({ exitCode: 7, result: "none" })] },
      ["turn 1", "turn 2", "stopped"],
      "2 turns in a row failed, the last one failed with exit code 7.",
    ));

  it("is forgotten by the breaker after a success", () =>
    check(
      { policy: { failuresMax: 2 }, moves: [failing, turn(), failing] },
      ["turn 1", "turn 2", "turn 3", "exhausted"],
      "No accepted claim within 3 iterations. The last turn failed with exit code 1.",
    ));

  it("is never stopped by a breaker that is off", () => {
    const moves = Array.from({ length: 8 }, () => failing);
    const turns = Array.from({ length: 9 }, (_, index) => `turn ${index + 1}`);
    check({ policy: { failuresMax: null, iterationsMax: 9 }, moves }, turns);
  });
});

describe("a turn that cannot be cured by trying again", () => {
  it("ends the run as failed when the sign-in or the model is wrong", () => {
    check(
      { moves: [refused("authentication", "Invalid key.")] },
      ["turn 1", "failed"],
      "The agent could not sign in: Invalid key.",
    );
    check(
      { moves: [refused("model", "No such model.")] },
      ["turn 1", "failed"],
      "The agent does not know the model: No such model.",
    );
  });

  it("ends the run when every edit of the first turn was denied, naming the flag to add", () => {
    const tools = { calls: 2, errors: 2, denied: 2, deniedChanges: 2, changes: 0 };
    check(
      { moves: [turn({ tools, deniedRemedy: "--allow-edits" })] },
      ["turn 1", "failed"],
      "2 edits or commands of the agent were denied and nothing has changed: add --allow-edits to agent.flags. A resume keeps the flags of this run, so start a new one.",
    );
  });

  it("ends the run in a later turn, too, when its edits were denied and nothing has changed (CB-12)", () => {
    const tools = { calls: 3, errors: 1, denied: 1, deniedChanges: 1, changes: 2 };
    const moves = [turn({ isTreeChanged: false }), turn({ tools, isTreeChanged: false })];
    expect(play({}, ...moves).orders).toEqual(["turn 1", "turn 2", "failed"]);
    check({ moves: [turn({ isTreeChanged: true }), turn({ tools, isTreeChanged: false })] }, [
      "turn 1",
      "turn 2",
      "turn 3",
    ]);
  });

  it("goes on when an edit was denied but another one worked, or in a later turn that nobody compared", () => {
    const denied = { calls: 2, errors: 1, denied: 1, deniedChanges: 1, changes: 1 };
    check({ moves: [turn({ tools: denied })] }, ["turn 1", "turn 2"]);
    check({ moves: [turn(), turn({ tools: { ...denied, changes: 0 } })] }, ["turn 1", "turn 2", "turn 3"]);
  });

  it("ends the run at once when the program is not there (R-83)", () =>
    check({ moves: [notStarted("not-found")] }, ["turn 1", "failed"], "claude was not found."));

  it("is tried again when the machine lacked resources, five times, without counting", () => {
    const moves = Array.from({ length: 4 }, () => [notStarted("resources"), timerFires]).flat();
    const played = play({ retryDelayMs: 100 }, ...moves);
    expect(played.orders.filter((order) => order.startsWith("turn"))).toEqual(
      Array.from({ length: 5 }, () => "turn 1"),
    );
    expect(goOn(played, notStarted("resources")).orders.at(-1)).toBe("failed");
    expect(goOn(played, turn(), notStarted("resources")).orders.at(-1)).toBe("wait for back-off");
  });
});

describe("a usage limit", () => {
  it("with a known end is waited for and counts neither as iteration nor as failure", () => {
    const played = play({ failuresMax: 1, retryDelayMs: 1000 }, limited(startAt + hour));
    expect(played.effects.at(-1)).toMatchObject({ reason: "usage-limit", durationMs: hour, dueAt: startAt + hour });
    expect(played.state).toMatchObject({ iteration: 0, failuresInRow: 0 });
    expect(goOn(played, after(hour, timerFires)).orders.at(-1)).toBe("turn 1");
  });

  it("that ended already is waited for as long as a failure at least", () =>
    expect(play({ retryDelayMs: 1000 }, limited(startAt - hour)).effects.at(-1)).toMatchObject({ durationMs: 1000 }));

  it("that ends after the time budget stops the run at once and says so", () =>
    check(
      { policy: { budgetMs: hour }, moves: [limited(startAt + 2 * hour)] },
      ["turn 1", "stopped"],
      "The usage limit resets at 2026-11-15T14:00:00.000Z, after the time budget ends.",
    ));

  it("without a known end, or with one nobody would wait for, is an ordinary failure", () => {
    check({ policy: { retryDelayMs: 1000 }, moves: [limited(null)] }, ["turn 1", "wait for back-off"]);
    check({ policy: { retryDelayMs: 1000 }, moves: [limited(startAt + 9 * 24 * hour)] }, [
      "turn 1",
      "wait for back-off",
    ]);
  });

  it("is waited for 168 times in a row at most; then it counts", () => {
    const policy = { retryDelayMs: 1, failuresMax: 1 };
    const waits = Array.from({ length: 168 }, () => [limited(startAt + 1), timerFires]).flat();
    const played = play(policy, ...waits);
    expect(played.orders.at(-1)).toBe("turn 1");
    expect(goOn(played, limited(startAt + 1)).orders.at(-1)).toBe("stopped");
  });
});

describe("a budget", () => {
  it("of money cuts the turn that passes it, and stops the run when it is gone (CB-08)", () => {
    const policy = { budgetUsd: 2 };
    const cut = play(policy, turnStarts, progress({ usd: 1.5 }), progress({ usd: 2.5 }));
    expect(cut.orders).toEqual(["turn 1", "cut"]);
    const spent = turnEnds({ isCut: true, spend: { ...noSpend, usd: 2.5 } });
    expect(goOn(cut, progress({ usd: 3 }), spent).orders).toEqual(["turn 1", "cut", "stopped"]);
    expect(goOn(cut, spent).state.outcome?.reason).toBe("Spent $2.50 of the budget of $2.00.");
  });

  it("of money is looked at before every turn", () =>
    check(
      { policy: { budgetUsd: 2 }, moves: [turn({ spend: { ...noSpend, usd: 2 } })] },
      ["turn 1", "stopped"],
      "Spent $2.00 of the budget of $2.00.",
    ));

  it("counts what checks and deliveries spent", () => {
    const spend = { ...noSpend, inputTokens: 900 };
    check(
      {
        policy: { budgetTokens: 1000, hasDelivery: true },
        moves: [turn({ spend: { ...noSpend, outputTokens: 100 } }), delivered(null, spend)],
      },
      ["turn 1", "deliver", "stopped"],
      "Used 1000 of 1000 tokens.",
    );
  });

  it("of tokens ends a run whose price nobody tells", () =>
    check(
      {
        policy: { budgetUsd: 1, budgetTokens: 1000 },
        moves: [turn({ spend: { ...noSpend, usd: null, cacheReadTokens: 1200 } })],
      },
      ["turn 1", "stopped"],
      "Used 1200 of 1000 tokens.",
    ));

  it("of time shortens the limits of turns and checks to what is left", () => {
    const policy = { budgetMs: 1000, guardrails: 1, turnWallMs: 900 };
    const played = play(policy, after(400, turn()));
    expect(played.effects.at(-1)).toMatchObject({ type: "run-gate", wallMs: 600 });
    const next = goOn(played, after(200, checks(0)));
    expect(next.effects.at(-1)).toMatchObject({ iteration: 2, limits: { wallMs: 400, idleMs: 1000 } });
  });

  it("of time ends the run when a turn used it up, and resume repeats that turn", () => {
    const out = turnEnds({ timedOut: "wall", exitCode: null, result: "none" });
    const played = play({ budgetMs: 500 }, turnStarts, after(500, out));
    expect(played.orders).toEqual(["turn 1", "stopped"]);
    expect(played.state).toMatchObject({ isHeld: true, pending: { type: "begin-turn", iteration: 1 } });
    expect(played.state.outcome?.reason).toBe("Used the time budget of 0.5s.");
  });

  it("leaves a turn alone that ran into its own limit of time", () =>
    check(
      {
        policy: { budgetMs: 900, turnWallMs: 100 },
        moves: [turnStarts, after(100, turnEnds({ timedOut: "wall", exitCode: null, result: "none" }))],
      },
      ["turn 1", "turn 2"],
    ));
});

describe("a run that gets nowhere", () => {
  const still = turn({ isTreeChanged: false });

  it("is stopped after so many turns in a row without any change", () =>
    check(
      { policy: { unchangedMax: 2 }, moves: [still, still] },
      ["turn 1", "turn 2", "stopped"],
      "2 turns in a row changed neither files, commits nor check results.",
    ));

  it("is not stopped when files, or the results of its checks, changed", () => {
    check(
      { policy: { unchangedMax: 2 }, moves: [still, turn({ isTreeChanged: true }), still] },
      ["turn 1", "turn 2", "turn 3", "exhausted"],
      "No accepted claim within 3 iterations.",
    );
    check(
      { policy: { unchangedMax: 2, guardrails: 1, iterationsMax: 9 }, moves: [still, checks(1), still, checks(2)] },
      ["turn 1", "guardrails", "turn 2", "guardrails", "turn 3"],
    );
  });

  it("may claim nothing yet and simply goes on with its state (R-08)", () => {
    const played = play({}, claiming({ isMentioned: true }));
    expect(played.state).toMatchObject({ outcome: null, iteration: 1, feedback: [{ kind: "mentioned" }] });
  });
});

function accepted(iteration: number): string {
  return `Claim accepted in iteration ${iteration}: no check is configured.`;
}
