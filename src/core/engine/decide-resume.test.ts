import { describe, expect, it } from "vitest";
import {
  after,
  ask,
  checks,
  claiming,
  delivered,
  done,
  failing,
  goOn,
  isCutOff,
  type Move,
  play,
  type Played,
  progress,
  resumed,
  startAt,
  turn,
  turnStarts,
  withClockSet,
} from "../../../tests/engine/play.ts";
import { noSpend } from "../agents/spend.ts";

/** The orders a resume leads to, and the state after it. */
function check(run: Played, resume: Move, expected: string[]): Played {
  const played = goOn(run, resume);
  expect(played.orders.slice(run.orders.length)).toEqual(expected);
  return played;
}

const exhausted = (): Played => play({ iterationsMax: 1 }, turn());

describe("a run whose driver died (R-44)", () => {
  it("repeats the turn in flight under a new id with the same number", () => {
    const run = play({}, turn(), turnStarts);
    const again = check(run, resumed(), ["turn 2"]);
    expect(again.state.pending).toMatchObject({
      type: "begin-turn",
      iteration: 2,
      id: (run.state.pending?.id ?? 0) + 1,
    });
    expect(again.state).toMatchObject({ iteration: 2, turnProcess: null });
    expect(goOn(again, turn()).state.iteration).toBe(2);
  });

  it("repeats the turn that was ordered but never started", () => check(play({}), resumed(), ["turn 1"]));

  it("repeats checks and delivery with their iteration", () => {
    check(play({ guardrails: 1 }, turn()), resumed(), ["guardrails"]);
    check(play({ hasDelivery: true }, turn()), resumed(), ["deliver"]);
    check(play({ hasFinalDelivery: true }, done), resumed(), ["deliver finally"]);
    check(play({ criteria: 1 }, done), resumed(), ["criteria"]);
  });

  it("asks the gates of the iteration from the first one on: what a green one saw may have changed meanwhile", () => {
    const half = play({ guardrails: 1, criteria: 1 }, done, checks(0));
    const again = check(half, resumed(), ["guardrails"]);
    expect(goOn(again, checks(1)).orders.at(-1)).toBe("turn 2");
    expect(goOn(again, checks(0), checks(0)).orders.slice(-2)).toEqual(["criteria", "completed"]);
    const paused = play({ guardrails: 1, criteria: 1 }, done, ask("pause"), checks(0));
    expect(goOn(paused, ask("go-on")).orders.at(-1)).toBe("guardrails");
  });

  it("does not hear the answer of the dead driver's order any more", () => {
    const run = play({ guardrails: 1 }, turn());
    const oldId = run.state.pending?.id ?? 0;
    const again = goOn(run, resumed());
    expect(goOn(again, { ...checks(0), news: () => checks(0).news(oldId) }).state).toBe(again.state);
  });

  it("completes with the claim of the turn before its checks were repeated", () =>
    expect(goOn(play({ guardrails: 1 }, done), resumed(), checks(0)).orders.at(-1)).toBe("completed"));

  it("counts the spend found in the stream of the lost turn instead of what was seen live", () => {
    const run = play({}, turn({ spend: { ...noSpend, usd: 1 } }), turnStarts, progress({ usd: 0.25 }));
    const again = goOn(run, resumed({}, { lostSpend: { ...noSpend, usd: 0.5 } }));
    expect(again.state).toMatchObject({ spend: { usd: 1.5 }, liveSpend: { usd: 0 } });
  });

  it("is stopped when the lost turn used up the budget", () =>
    check(play({ budgetUsd: 1 }, turnStarts), resumed({}, { lostSpend: { ...noSpend, usd: 2 } }), ["stopped"]));

  it("does not count the time it was dead", () => {
    const run = play({ budgetMs: 1000 }, after(300, turn()));
    const dead: Move = { ...resumed(), passMs: 90_000 };
    expect(goOn(run, dead).state.usedMs).toBe(300);
  });

  it("forgets its breaker's count, its pause and its signals (R-45)", () => {
    const run = goOn(play({ failuresMax: 2 }, failing), ask("pause"), ask("interrupt"));
    expect(goOn(run, resumed()).state).toMatchObject({
      failuresInRow: 0,
      isPauseAsked: false,
      isInterruptAsked: false,
      outcome: null,
    });
    expect(goOn(run, resumed(), failing).orders.at(-1)).toBe("turn 3");
  });

  it("stays cancelled when the cancel was asked before it died (CB-19)", () =>
    check(goOn(play({}, turnStarts), ask("cancel")), resumed(), ["cancelled"]));
});

describe("requests made while nobody drove the run", () => {
  const missed = (isCancelAsked: boolean) => resumed({}, { missed: { isCancelAsked, lastSeq: 5 } });

  it("end it when one of them was a cancel (CB-19, R-42)", () =>
    check(play({}, turnStarts), missed(true), ["cancelled"]));

  it("are not heard again when none was (R-45)", () =>
    expect(check(play({}, turnStarts), missed(false), ["turn 1"]).state).toMatchObject({
      lastRequestSeq: 5,
      isCancelAsked: false,
    }));
});

describe("a wait that is taken up again", () => {
  const limit = (): Played => {
    const failure = { kind: "limit" as const, message: "limit", resetAt: startAt + 10_000 };
    return play({}, turn({ result: "error", failure }));
  };

  it("lasts only what was left of it", () => {
    const again = goOn(limit(), after(4000, resumed()));
    expect(again.state.pending).toMatchObject({ type: "set-timer", durationMs: 6000, dueAt: startAt + 10_000 });
  });

  it("is over when its time has passed", () =>
    expect(goOn(limit(), after(60_000, resumed())).state.pending).toMatchObject({ durationMs: 0 }));

  it("never lasts longer than it was meant to, when the wall clock was set back", () => {
    const again = goOn(limit(), withClockSet(-3_600_000, resumed()));
    expect(again.state.pending).toMatchObject({ type: "set-timer", durationMs: 10_000 });
  });
});

describe("an ended run", () => {
  it("that completed or was cancelled stays so", () => {
    const completed = play({}, done);
    expect(check(completed, resumed(), []).state).toBe(completed.state);
    const cancelled = goOn(play({}), ask("cancel"), isCutOff("turn"));
    expect(check(cancelled, resumed(), []).state).toBe(cancelled.state);
  });

  it("that was exhausted goes on with more iterations, and is exhausted again without", () => {
    const more = check(exhausted(), resumed({ iterationsMax: 3 }), ["turn 2"]);
    expect(more.effects.at(-1)).toMatchObject({ iteration: 2, iterationsMax: 3 });
    check(exhausted(), resumed(), ["exhausted"]);
  });

  it("that was stopped by its budget goes on with a larger one", () => {
    const stopped = play({ budgetUsd: 1 }, turn({ spend: { ...noSpend, usd: 1 } }));
    check(stopped, resumed(), ["stopped"]);
    check(stopped, resumed({ budgetUsd: 2 }), ["turn 2"]);
  });

  it("that was stopped by the breaker gets its whole count again", () => {
    const stopped = play({ failuresMax: 2, iterationsMax: 9 }, failing, failing);
    expect(goOn(stopped, resumed(), failing).orders.at(-1)).toBe("turn 4");
    expect(goOn(stopped, resumed(), failing, failing).orders.at(-1)).toBe("stopped");
  });

  it("that waits for an answer takes it into the next prompt, after its other reasons", () => {
    const waits = play({ guardrails: 1 }, claiming({ question: "Which?" }), checks(1));
    const again = check(waits, resumed({}, { answer: "The second." }), ["turn 2"]);
    expect(again.effects.at(-1)).toMatchObject({
      feedback: [{ kind: "output" }, { kind: "answer", text: { text: "The second." } }],
    });
  });

  it("tells a repeated turn the answer too", () => {
    const cut = goOn(play({}, turnStarts), ask("interrupt-now"), isCutOff("turn"));
    const again = goOn(cut, resumed({}, { answer: "Yes." }));
    expect(again.effects.at(-1)).toMatchObject({ iteration: 1, feedback: [{ kind: "answer" }] });
  });

  it("keeps what it delivered and spent", () => {
    const run = play({ hasDelivery: true, iterationsMax: 1 }, turn(), delivered(null, { ...noSpend, usd: 0.1 }));
    expect(goOn(run, resumed({ iterationsMax: 2 })).state.spend.usd).toBe(0.1);
  });
});
