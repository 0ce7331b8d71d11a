import { plainAnswer } from "../run/gate-answer.ts";
import { noClaims } from "../claims/claim-report.ts";
import { describe, expect, it } from "vitest";
import {
  allGates,
  checks,
  claiming,
  delivered,
  deliveredAs,
  notCommitted,
  done,
  doneAs,
  failing,
  goOn,
  type Move,
  play,
  tasks,
  toyGate,
  type Shape,
  turn,
  turnEnds,
} from "../../../tests/engine/play.ts";

type Given = { policy?: Shape; moves: Move[] };

/** Plays a run and compares every order it gave. */
function check({ policy = {}, moves }: Given, expected: string[]): void {
  expect(play(policy, ...moves).orders).toEqual(expected);
}

const red = checks(1);
const green = checks(0);
const guarded: Shape = { guardrails: 1 };

describe("the order of one iteration", () => {
  it("is turn, gates of every turn, gates before delivery, delivery, the other gates, completed (CB-07, CW-1J)", () =>
    check({ policy: allGates, moves: [turn(), checks(0, 0), tasks(true), green, delivered(), green] }, [
      "turn 1",
      "guardrails",
      "guardrail-2",
      "tasks",
      "criteria",
      "deliver",
      "children",
      "completed",
    ]));

  it("leaves out every step the run does not have (CB-07)", () => check({ moves: [done] }, ["turn 1", "completed"]));

  it("runs the guardrails after every turn, claim or not (S1-43)", () =>
    check({ policy: guarded, moves: [turn(), green, done, green] }, [
      "turn 1",
      "guardrails",
      "turn 2",
      "guardrails",
      "completed",
    ]));

  it("runs the guardrails after a failed turn too (S1-43, CW-1K)", () =>
    check({ policy: guarded, moves: [failing] }, ["turn 1", "guardrails"]));

  it("does not look at the claim of a turn with a red guardrail (S1-44, S1-51)", () =>
    check({ policy: { ...guarded, criteria: 1 }, moves: [done, red] }, ["turn 1", "guardrails", "turn 2"]));

  it("needs every guardrail, not the last one only (S1-44)", () =>
    check({ policy: { guardrails: 3 }, moves: [done, checks(0, 1, 0)] }, [
      "turn 1",
      "guardrails",
      "guardrail-2",
      "guardrail-3",
      "turn 2",
    ]));

  it("refuses a gate that answers without any verdict", () => {
    const silent: Move = { passMs: 0, news: (effectId) => [{ type: "gate-finished", effectId, ...plainAnswer([]) }] };
    check({ policy: guarded, moves: [done, silent] }, ["turn 1", "guardrails", "turn 2"]);
  });

  it("commits no claim that a gate before delivery refuses", () =>
    check({ policy: { criteria: 1, hasDelivery: true }, moves: [done, red] }, ["turn 1", "criteria", "turn 2"]));

  it("knows gates by their data, whatever their kind is called", () => {
    const toy = [toyGate("first", { kind: "moon" }), toyGate("last", { kind: "tide", when: "on-claim" })];
    const policy = { gates: toy };
    check({ policy, moves: [done, green, red, done, green, green] }, [
      "turn 1",
      "first",
      "last",
      "turn 2",
      "first",
      "last",
      "completed",
    ]);
  });

  it("accepts a claim with green guardrails, or without any (S1-45)", () => {
    check({ policy: guarded, moves: [done, green] }, ["turn 1", "guardrails", "completed"]);
    check({ moves: [claiming({ response: "done" })] }, ["turn 1", "completed"]);
  });

  it("delivers after green guardrails without a claim as well (S1-60)", () =>
    check({ policy: { ...guarded, hasDelivery: true }, moves: [turn(), green, delivered()] }, [
      "turn 1",
      "guardrails",
      "deliver",
      "turn 2",
    ]));

  it("delivers finally once, after every gate and before the end (S1-63)", () =>
    check(
      {
        policy: { ...allGates, hasFinalDelivery: true },
        moves: [done, checks(0, 0), tasks(true), green, delivered(), green, delivered()],
      },
      [
        "turn 1",
        "guardrails",
        "guardrail-2",
        "tasks",
        "criteria",
        "deliver",
        "children",
        "deliver finally",
        "completed",
      ],
    ));

  it("delivers finally without any other delivery, and never without completion (S1-63)", () => {
    const policy = { ...guarded, hasFinalDelivery: true, iterationsMax: 2 };
    check({ policy, moves: [done, red, turn(), green] }, ["turn 1", "guardrails", "turn 2", "guardrails", "exhausted"]);
    check({ policy, moves: [done, green, delivered()] }, ["turn 1", "guardrails", "deliver finally", "completed"]);
  });

  it("delivers nothing after a red guardrail (S1-60)", () =>
    check({ policy: { ...guarded, hasDelivery: true }, moves: [done, red] }, ["turn 1", "guardrails", "turn 2"]));

  it("commits the completing iteration before it completes (CW-1J)", () =>
    check({ policy: { ...guarded, hasDelivery: true }, moves: [done, green, delivered()] }, [
      "turn 1",
      "guardrails",
      "deliver",
      "completed",
    ]));

  it("asks for criteria only on a claim", () =>
    check({ policy: { criteria: 1 }, moves: [turn(), done, red] }, ["turn 1", "turn 2", "criteria", "turn 3"]));

  it("waits for children only when the criteria hold", () =>
    check({ policy: { criteria: 1, hasChildren: true }, moves: [done, red, done, green, red] }, [
      "turn 1",
      "criteria",
      "turn 2",
      "criteria",
      "children",
      "turn 3",
    ]));

  it("takes the task list for the claim where there is one; the tag alone is not enough (CB-07)", () =>
    check({ policy: { hasTasks: true }, moves: [done, tasks(false), turn(), tasks(true)] }, [
      "turn 1",
      "tasks",
      "turn 2",
      "tasks",
      "completed",
    ]));
});

describe("what is delivered is what was checked", () => {
  const delivering: Shape = { guardrails: 1, hasDelivery: true };

  it("completes when the delivered tree is the one the gates saw", () => {
    check({ policy: delivering, moves: [doneAs("a"), green, deliveredAs("a"), deliveredAs("a")] }, [
      "turn 1",
      "guardrails",
      "deliver",
      "deliver finally",
      "completed",
    ]);
    check({ policy: guarded, moves: [doneAs("a"), green, deliveredAs("a")] }, [
      "turn 1",
      "guardrails",
      "deliver finally",
      "completed",
    ]);
  });

  it("asks every gate once more about a commit with another tree, and delivers it no second time", () =>
    check({ policy: delivering, moves: [doneAs("a"), green, deliveredAs("b"), green, deliveredAs("b")] }, [
      "turn 1",
      "guardrails",
      "deliver",
      "guardrails",
      "deliver finally",
      "completed",
    ]));

  it("asks again when a check changed the files, and refuses the claim when they change once more", () => {
    const moves = [doneAs("a"), green, deliveredAs("b", ["x"]), green, deliveredAs("c", ["x", "y"])];
    const orders = ["turn 1", "guardrails", "deliver finally", "guardrails", "deliver finally", "turn 2"];
    check({ policy: guarded, moves }, orders);
    const { state } = play(guarded, ...moves);
    expect(state.feedback).toMatchObject([{ kind: "note", text: expect.stringContaining("twice: x, y.") }]);
    expect(state.refusal).toContain("x, y");
  });

  it("takes no verdict about the former tree for the new one", () =>
    check({ policy: guarded, moves: [doneAs("a"), green, deliveredAs("b"), red] }, [
      "turn 1",
      "guardrails",
      "deliver finally",
      "guardrails",
      "turn 2",
    ]));
});

describe("what counts as a claim", () => {
  it("is never an exit code of zero (CB-05)", () => check({ moves: [turn(), turn()] }, ["turn 1", "turn 2", "turn 3"]));

  it("is never the claim of a turn that failed (R-18)", () =>
    check({ moves: [turn({ result: "error", claims: claimsDone })] }, ["turn 1", "turn 2"]));

  it("is never the claim of an earlier iteration (R-04)", () =>
    check({ policy: guarded, moves: [done, red, turn(), green] }, [
      "turn 1",
      "guardrails",
      "turn 2",
      "guardrails",
      "turn 3",
    ]));

  it("is never a wrong promise, however green the checks are (R-14)", () =>
    check({ policy: guarded, moves: [claiming({ wrongPromise: "FINISHED" }), green] }, [
      "turn 1",
      "guardrails",
      "turn 2",
    ]));

  it("is refused with requireProgress while nothing at all has changed (R-16)", () =>
    check(
      {
        policy: { requireProgress: true },
        moves: [turn({ claims: claimsDone, isTreeChanged: false }), turn({ isTreeChanged: true }), done],
      },
      ["turn 1", "turn 2", "turn 3", "completed"],
    ));

  it("ends the run waiting when it says BLOCKED or DECIDE, whatever the guardrails say (CB-08)", () => {
    check({ policy: guarded, moves: [claiming({ blocked: "no key" }), red] }, ["turn 1", "guardrails", "waiting"]);
    check({ moves: [claiming({ question: "Which?" })] }, ["turn 1", "waiting"]);
  });

  it("does not wait for a person when the turn that said BLOCKED failed", () =>
    check({ moves: [turn({ result: "error", claims: { ...claimsDone, blocked: "no key" } })] }, ["turn 1", "turn 2"]));
});

describe("the count of iterations", () => {
  it("goes from 1 to the limit, then the run is exhausted (S1-37, S1-47, CB-10)", () =>
    check({ moves: [turn(), turn(), turn()] }, ["turn 1", "turn 2", "turn 3", "exhausted"]));

  it("runs exactly once with a limit of 1 (R-54)", () => {
    check({ policy: { iterationsMax: 1 }, moves: [turn()] }, ["turn 1", "exhausted"]);
    check({ policy: { iterationsMax: 1 }, moves: [done] }, ["turn 1", "completed"]);
  });

  it("has no end of its own without a limit", () =>
    check({ policy: { iterationsMax: null }, moves: [turn(), turn(), turn(), turn()] }, [
      "turn 1",
      "turn 2",
      "turn 3",
      "turn 4",
      "turn 5",
    ]));

  it("counts a turn once its agent lives, not before (CB-10)", () => {
    const begun = play({});
    expect(begun.state.iteration).toBe(0);
    expect(goOn(begun, turn()).state).toMatchObject({ iteration: 1, pending: { iteration: 2 } });
  });

  it("tells each turn its number, the limit and the limits of time", () => {
    const first = play({ turnWallMs: 4000 }).effects[0];
    const limits = { idleMs: 1000, wallMs: 4000, resultGraceMs: 10 };
    expect(first).toMatchObject({ iteration: 1, iterationsMax: 3, feedback: [], sessionId: null, limits });
  });
});

describe("what the next turn is told", () => {
  it("is the failed guardrail, and nothing once it is green again (S1-44, S1-46)", () => {
    const failed = play(guarded, turn(), red);
    expect(failed.effects.at(-1)).toMatchObject({ feedback: [{ kind: "output", name: "check 0", exitCode: 1 }] });
    const passed = goOn(failed, turn(), green);
    expect(passed.effects.at(-1)).toMatchObject({ type: "begin-turn", iteration: 3, feedback: [] });
  });

  it("is a fresh context by default and the agent's session with context continue (CB-06)", () => {
    const withSession = turn({ sessionId: "s-1" });
    expect(play({}, withSession).effects.at(-1)).toMatchObject({ iteration: 2, sessionId: null });
    expect(play({ context: "continue" }, withSession).effects.at(-1)).toMatchObject({ iteration: 2, sessionId: "s-1" });
  });
});

describe("the reason of an outcome", () => {
  const reason = (played: ReturnType<typeof play>): string | undefined => played.state.outcome?.reason;

  it("names the proof of a completion", () => {
    expect(reason(play({}, done))).toBe("Claim accepted in iteration 1: no check is configured.");
    expect(reason(play({ guardrails: 2 }, turn(), checks(0, 0), done, checks(0, 0)))).toBe(
      "Claim accepted in iteration 2: check 0, check 1 green.",
    );
    expect(reason(play(allGates, done, checks(0, 0), tasks(true), green, delivered(), green))).toBe(
      "Claim accepted in iteration 1: check 0, check 1, check 0 and 1 more green.",
    );
  });

  it("names a delivery that failed, which changes nothing else (CW-1J)", () =>
    expect(reason(play({ hasDelivery: true }, done, delivered("push exited with code 1")))).toBe(
      "Claim accepted in iteration 1: no check is configured. Delivery: push exited with code 1",
    ));

  it("refuses a claim whose commit failed, and tells the agent what went wrong (CW-1J)", () => {
    const run = play({ ...guarded, hasDelivery: true }, done, green, notCommitted("the hook said no"));
    expect(run.state.outcome).toBeNull();
    const because = "what was checked could not be committed: the hook said no";
    expect(run.state.refusal).toBe(because);
    expect(run.state.feedback).toEqual([{ kind: "note", text: `The claim was refused: ${because}` }]);
  });

  it("goes on after a failed commit without a claim, and names it at the end (CW-1J)", () => {
    const policy = { ...guarded, hasDelivery: true, iterationsMax: 1 };
    const run = play(policy, turn(), green, notCommitted("the hook said no"));
    expect(run.state.outcome?.reason).toBe("No accepted claim within 1 iteration. Delivery: the hook said no");
  });

  it("names a failed push beside a failed pull request (CW-1J)", () => {
    const run = play({ hasDelivery: true, hasFinalDelivery: true }, done, delivered("no push."), delivered("no pr."));
    expect(run.state.outcome).toEqual({
      name: "completed",
      reason: "Claim accepted in iteration 1: no check is configured. Delivery: no push. no pr.",
      isVerified: false,
    });
  });

  it("names a delivery that failed, however the run ends (CW-1J)", () =>
    expect(reason(play({ hasDelivery: true, iterationsMax: 1 }, turn(), delivered("no push.")))).toBe(
      "No accepted claim within 1 iteration. Delivery: no push.",
    ));

  it("forgets a delivery problem that the next delivery cured", () =>
    expect(play({ hasDelivery: true }, turn(), delivered("no network"), done, delivered()).state.deliveryProblem).toBe(
      null,
    ));

  it("names the limit, the block or the question", () => {
    expect(reason(play({ iterationsMax: 1 }, turn()))).toBe("No accepted claim within 1 iteration.");
    expect(reason(play({ iterationsMax: 1, guardrails: 1 }, turn(), checks(7)))).toBe(
      "No accepted claim within 1 iteration. The last check that failed: check 0: check 0 exited with code 7",
    );
    expect(reason(play({}, claiming({ blocked: "no key" })))).toBe("Blocked: no key");
    expect(reason(play({}, claiming({ question: "Which one?" })))).toBe("Needs a decision: Which one?");
  });
});

describe("news that do not belong", () => {
  it("of an effect that is not in flight change nothing", () => {
    const played = play({});
    const stale: Move = { ...turnEnds(), news: () => turnEnds().news(99) };
    expect(goOn(played, stale).state).toBe(played.state);
  });

  it("of a second start change nothing", () => {
    const played = play({});
    expect(goOn(played, { news: () => [{ type: "run-started" }], passMs: 5 }).state).toBe(played.state);
  });

  it("after the end change nothing", () => {
    const played = play({}, done);
    expect(goOn(played, turn()).state).toBe(played.state);
  });
});

const claimsDone = { ...noClaims, isPromised: true };
