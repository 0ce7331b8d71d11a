import { describe, expect, it } from "vitest";
import {
  ask,
  checks,
  delivered,
  done,
  failing,
  goOn,
  isCutOff,
  type Move,
  play,
  policyOf,
  type Played,
  resumed,
  type Shape,
  timerFires,
  turn,
  turnStarts,
} from "../../../tests/engine/play.ts";
import { decide } from "../engine/decide.ts";
import type { Observation } from "../run/observation.ts";
import { newRun } from "../run/state.ts";
import { activityOf } from "./activity.ts";
import type { JournalNews } from "./journal-entry.ts";
import { emptyView, foldEntry, type RunView } from "./run-view.ts";

/** The view of a run to which these moves happened, a second apart, folded from its own journal. */
function viewOf(policy: Shape, ...moves: Move[]): RunView {
  let state = newRun(policyOf(policy));
  let view = emptyView;
  const start: Move = { news: () => [{ type: "run-started" }], passMs: 0 };
  for (const [index, { news }] of [start, ...moves].entries()) {
    for (const each of news(state.pending?.id ?? 0)) {
      const at = 1000 * index;
      const observation: Observation = { ...each, at, upMs: at };
      const [next, effects] = decide(state, observation);
      state = next;
      view = foldEntry(view, { kind: "step", at, observation, effects });
    }
  }
  return view;
}

describe("the view of a run", () => {
  it("counts the time that usage limits cost, and knows since when it waits for one", () => {
    const limited = turn({ exitCode: 1, failure: { kind: "limit", message: "limit", resetAt: 90_000 } });
    expect(viewOf({}, limited)).toMatchObject({ limitMs: 0, limitSince: 1000 });
    expect(viewOf({}, limited, timerFires)).toMatchObject({ limitMs: 1000, limitSince: null });
    expect(viewOf({}, limited, timerFires, limited, timerFires)).toMatchObject({ limitMs: 2000, limitSince: null });
    expect(viewOf({}, limited, ask("interrupt"))).toMatchObject({ limitMs: 1000, limitSince: null });
    expect(viewOf({ retryDelayMs: 1000 }, failing, timerFires)).toMatchObject({ limitMs: 0, limitSince: null });
  });

  const guarded = { guardrails: 1, hasDelivery: true, criteria: 1 };

  it("has one entry for each iteration, with turn, checks, delivery and what it was told", () => {
    const view = viewOf(guarded, turn(), checks(1), done, checks(0, 0), delivered());
    expect(view.iterations).toMatchObject([
      {
        number: 1,
        startedAt: 1000,
        endedAt: 1000,
        feedback: [],
        guardrails: [{ exitCode: 1 }],
        criteria: [],
        delivery: null,
      },
      {
        number: 2,
        feedback: [{ kind: "output" }],
        report: { claims: { isPromised: true } },
        guardrails: [{ exitCode: 0 }],
        criteria: [{ exitCode: 0 }],
        delivery: { commit: "c0ffee", problem: null },
      },
    ]);
    expect(view).toMatchObject({ startedAt: 0, endedAt: 5000, outcome: { name: "completed" } });
  });

  it("adds a final delivery to what the iteration delivered before (CW-1J)", () => {
    const policy = { hasDelivery: true, hasFinalDelivery: true };
    const view = viewOf(policy, done, delivered(), delivered("no pull request."));
    expect(view.iterations).toMatchObject([{ delivery: { commit: "c0ffee", problem: "no pull request." } }]);
  });

  it("shows a turn repeated after a crash with the same number", () => {
    const view = viewOf({}, turn(), turnStarts, resumed(), turn());
    expect(view.iterations.map(({ number, report }) => [number, report !== null])).toEqual([
      [1, true],
      [2, false],
      [2, true],
    ]);
  });

  it("takes checks repeated after a crash into the iteration they belong to", () => {
    const view = viewOf({ guardrails: 1 }, turn(), resumed(), checks(3));
    expect(view.iterations).toMatchObject([{ number: 1, guardrails: [{ exitCode: 3 }] }]);
  });

  it("does not take the children's answers for guardrails", () => {
    const view = viewOf({ guardrails: 1, hasChildren: true }, done, checks(0), checks(5));
    expect(view.iterations[0]?.guardrails).toMatchObject([{ exitCode: 0 }]);
  });

  it("has no outcome any more once it goes on", () => {
    const ended = viewOf({ iterationsMax: 1 }, turn());
    expect(ended.outcome?.name).toBe("exhausted");
    const again = viewOf({ iterationsMax: 1 }, turn(), resumed({ iterationsMax: 2 }));
    expect(again).toMatchObject({ outcome: null, endedAt: null });
  });

  it("of a work run has its start, its outcome, and no turns of its own", () => {
    const moment = { at: 5, upMs: 0 };
    const outcome = { name: "interrupted" as const, reason: "so" };
    const ended = foldEntry(emptyView, {
      kind: "work-step",
      at: 5,
      observation: { type: "timer-fired", effectId: 1, ...moment },
      effects: [{ type: "end-run", id: 2, outcome }],
    });
    expect(ended).toEqual({ ...emptyView, startedAt: 5, endedAt: 5, outcome });
  });

  it("keeps remarks in their order", () => {
    const note = (text: string): JournalNews => ({ kind: "note", at: 5, level: "warning", text });
    expect([note("a"), note("b")].reduce(foldEntry, emptyView).notes).toEqual([
      { at: 5, level: "warning", text: "a" },
      { at: 5, level: "warning", text: "b" },
    ]);
  });
});

describe("what a run is doing", () => {
  function check(played: Played, expected: string): void {
    expect(activityOf(played.state).activity).toBe(expected);
  }

  it("is named for the operation in flight", () => {
    check(play({}), "starting the agent");
    check(play({}, turnStarts), "agent at work");
    check(play({ guardrails: 1 }, turn()), "checking guardrail-1");
    check(play({ criteria: 1 }, done), "checking criterion-1");
    check(play({ hasDelivery: true }, turn()), "delivering");
    check(play({ hasTasks: true }, turn()), "checking task-list");
  });

  it("is a wait with its end", () => {
    const played = play({ retryDelayMs: 1000 }, failing);
    check(played, "waiting (back-off)");
    expect(activityOf(played.state).waitingUntil).toBeGreaterThan(0);
    expect(activityOf(play({}).state).waitingUntil).toBeNull();
  });

  it("is a pause, before and after it takes effect", () => {
    check(goOn(play({}, turnStarts), ask("pause")), "pausing after: agent at work");
    check(goOn(play({}), ask("pause"), turn()), "paused");
  });

  it("is the end, before and after it is reached", () => {
    check({ state: newRun(policyOf({})), effects: [], orders: [] }, "starting");
    check(goOn(play({}, turnStarts), ask("cancel")), "stopping");
    check(goOn(play({}, turnStarts), ask("cancel"), isCutOff("turn")), "ended");
  });
});
