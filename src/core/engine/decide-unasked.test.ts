import { describe, expect, it } from "vitest";
import {
  ask,
  checks,
  done,
  goOn,
  isCutOff,
  type Move,
  move,
  play,
  type Played,
  resumed,
  type Shape,
  tasks,
  turn,
  verdict,
} from "../../../tests/engine/play.ts";
import { plainAnswer } from "../run/gate-answer.ts";
import type { GateStop } from "../run/outcome.ts";
import type { Verdict } from "../verification/verdict.ts";

/** The gate in flight could not be asked. */
function unasked(name: GateStop["name"], reason = "The judge is not there."): Move {
  return move((effectId) => [{ ...plainAnswer([]), stop: { name, reason }, type: "gate-finished", effectId }]);
}

/** Plays a run and compares every order it gave. */
function check(policy: Shape, moves: Move[], expected: string[]): Played {
  const played = play(policy, ...moves);
  expect(played.orders).toEqual(expected);
  return played;
}

const judged: Shape = { criteria: 1, iterationsMax: 1 };

describe("a gate that could not be asked", () => {
  it.each(["failed", "waiting"] as const)("ends the run as %s with its own words, and is held", (name) => {
    const { state } = check(judged, [done, unasked(name)], ["turn 1", "criteria", name]);
    expect(state.outcome).toEqual({ name, reason: "The judge is not there." });
    expect(state).toMatchObject({ isHeld: true, pending: { type: "run-gate", gate: { id: "criterion-1" } } });
    expect(state.facts.verdicts).toEqual({});
  });

  it("is asked again by a resume without another turn, and no iteration is lost", () => {
    const orders = ["turn 1", "criteria", "waiting", "criteria"];
    const again = check(judged, [done, unasked("waiting"), resumed()], orders);
    expect(goOn(again, checks(0)).orders).toEqual([...orders, "completed"]);
    expect(goOn(again, unasked("waiting"), resumed(), checks(0)).orders.at(-1)).toBe("completed");
  });

  it("leaves the results of the gates before it as they were, until a resume asks them again", () => {
    const policy = { guardrails: 1, criteria: 2 };
    const { state } = play(policy, done, checks(0), checks(0), unasked("failed"));
    expect(Object.keys(state.facts.verdicts)).toEqual(["guardrail-1", "criterion-1"]);
    const again = goOn(play(policy, done, checks(0), checks(0), unasked("failed")), resumed());
    expect(again.orders.slice(-2)).toEqual(["failed", "guardrails"]);
  });

  it("is no failure of the agent: neither feedback nor an attempt is kept", () => {
    const { state } = play(judged, done, unasked("waiting"));
    expect(state).toMatchObject({ feedback: [], attempts: [], unchangedInRow: 0, iteration: 1 });
  });

  it("is a cut when one was asked meanwhile", () => {
    const run = play(judged, done, ask("interrupt-now"), unasked("waiting"));
    expect(run.orders).toEqual(["turn 1", "criteria", "cut", "interrupted"]);
    expect(goOn(run, resumed()).orders.at(-1)).toBe("criteria");
    expect(play(judged, done, ask("cancel"), unasked("waiting")).orders.at(-1)).toBe("cancelled");
  });

  it("comes after a task list that is in order, and keeps its own place", () => {
    const run = play({ hasTasks: true, criteria: 1 }, turn(), tasks(true), unasked("failed"));
    expect(run.orders).toEqual(["turn 1", "tasks", "criteria", "failed"]);
    expect(run.state.pending).toMatchObject({ gate: { id: "criterion-1" } });
  });

  it("with a verdict beside its stop is answered: the run ends, and nothing is held", () => {
    const stopped = move((effectId) => {
      const [answer] = checks(1).news(effectId);
      if (answer?.type !== "gate-finished") return [];
      return [{ ...answer, stop: { name: "waiting", reason: "At the cap." } }];
    });
    expect(play(judged, done, stopped).state).toMatchObject({ isHeld: false, pending: null });
  });

  it.each(["completed", "cancelled", "exhausted", "interrupted"])("cannot end the run as %s", (name) => {
    const answer = (verdicts: Verdict[]): Move =>
      move((effectId) => [
        { ...plainAnswer(verdicts), stop: { name, reason: "So." } as never, type: "gate-finished", effectId },
      ]);
    expect(() => play({ guardrails: 1 }, turn(), answer([]))).toThrow("a gate neither completes a run nor cancels it");
    expect(() => play({ guardrails: 1 }, turn(), answer([verdict(0)]))).toThrow("neither completes");
  });

  it("steers no run whose claim is a tag: neither by an assignment nor by an end of the work", () => {
    const word = { isClaim: true, isWorkLeft: false, assignment: null, notes: [], remark: null };
    const saying = move((effectId) => [{ ...plainAnswer([verdict(0)]), word, type: "gate-finished", effectId }]);
    const run = play({ guardrails: 1, iterationsMax: 2 }, turn(), saying, turn(), saying);
    expect(run.orders).toEqual(["turn 1", "guardrails", "turn 2", "guardrails", "exhausted"]);
  });

  it("that is cut is repeated as before", () => {
    const run = play(judged, done, ask("interrupt-now"), isCutOff("checks"), resumed());
    expect(run.orders.at(-1)).toBe("criteria");
  });
});
