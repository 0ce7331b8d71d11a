import { describe, expect, it } from "vitest";
import { plainAnswer } from "../run/gate-answer.ts";
import { noClaims } from "../claims/claim-report.ts";
import { newRun } from "../run/state.ts";
import { decide } from "./decide.ts";
import {
  ask,
  checks,
  claiming,
  done,
  failing,
  goOn,
  isCutOff,
  type Move,
  play,
  type Played,
  policyOf,
  repaired,
  resumed,
  startAt,
  taskList,
  tasks,
  type Shape,
  turn,
  turnEnds,
  turnStarts,
} from "../../../tests/engine/play.ts";

const listed: Shape = { hasTasks: true, kind: "prd" };
const guarded: Shape = { ...listed, guardrails: 1 };
const review = { role: "review" as const, taskId: "US-001" };

function check(given: { policy: Shape; moves: Move[] }, expected: string[]): Played {
  const played = play(given.policy, ...given.moves);
  expect(played.orders).toEqual(expected);
  return played;
}

function repairs({ effects }: Played) {
  return effects.flatMap((effect) => (effect.type === "run-gate" && effect.gate.isAlways ? [effect.isGreenSoFar] : []));
}

describe("a run with a task list", () => {
  it("begins with what its start tells, so that the journal alone leads to every state", () => {
    const plain = newRun(policyOf(listed));
    const begin = { slots: { list: { seen: 1 } }, assignment: review, isWorkLeft: true, lastUpMs: 40 };
    const started = { type: "run-started" as const, at: startAt, upMs: 50 };
    const told = decide(plain, { ...started, begin });
    expect(told).toEqual(decide({ ...plain, ...begin }, started));
    expect(told).toMatchObject([{ usedMs: 10, assignment: review }, [{ type: "begin-turn", assignment: review }]]);
    expect(decide(told[0], { ...started, begin: { isWorkLeft: false } })).toEqual([told[0], []]);
  });

  it("lets an approval stand only after a turn that did not fail and with green checks (S4-97)", () => {
    const allowed = (...moves: Move[]): boolean[] => repairs(play(guarded, ...moves));
    expect(allowed(turn(), checks(0))).toEqual([true]);
    expect(allowed(turn(), checks(1))).toEqual([false]);
    expect(allowed(turn({ exitCode: 1, result: "none" }), checks(0))).toEqual([false]);
    expect(allowed(turnStarts, ask("cancel"), isCutOff("turn"))).toEqual([false]);
  });

  it("says of a turn that was left before its checks that nobody knows, not that they are red (S4-97)", () => {
    const unproven = (...moves: Move[]): boolean[] =>
      play(guarded, ...moves).effects.flatMap((effect) =>
        effect.type === "run-gate" && effect.gate.isAlways ? [effect.isUnproven === true] : [],
      );
    expect(unproven(turnStarts, ask("interrupt"), turnEnds())).toEqual([true]);
    expect(unproven(turn(), checks(1))).toEqual([false]);
    expect(unproven(turn(), checks(0))).toEqual([false]);
    expect(unproven(turnStarts, ask("cancel"), isCutOff("turn"))).toEqual([false]);
  });

  it("lets no approval stand that was given in a turn whose begin nobody stored (S4-97)", () => {
    const played = play(guarded, turn(), checks(0), repaired({ list: taskList(review) }), resumed());
    expect(repairs(played)).toEqual([true, false]);
  });

  it("begins nothing before a list is in order that a full disk left as it was (CW-4C)", () => {
    const stop = { name: "failed" as const, reason: "disk full" };
    const failed = repaired({ stop, list: null });
    const { state } = check({ policy: listed, moves: [turn(), failed, resumed(), failed] }, [
      "turn 1",
      "tasks",
      "failed",
      "tasks",
      "failed",
    ]);
    expect(state.dueGates).toEqual(["task-list"]);
  });

  it("is in order before a pause gives it to people, who may leave another one (CW-4C)", () => {
    const paused = play(guarded, turnStarts, ask("pause"), turnEnds(), checks(0), tasks(false));
    expect(repairs(paused)).toEqual([true]);
    expect(paused.state).toMatchObject({ isHeld: true, dueGates: [], pending: { type: "begin-turn" } });
    const edited = goOn(paused, ask("go-on", null, taskList(review)));
    expect(edited.effects.at(-1)).toMatchObject({ type: "begin-turn", iteration: 2, assignment: review });
  });

  it("keeps what other gates remember when people leave another list, in a pause or before a resume", () => {
    const paused = play(guarded, turnStarts, ask("pause"), turnEnds(), checks(0), tasks(false));
    const sealed = { hash: "1" };
    const remembering = { ...paused.state, slots: { ...paused.state.slots, sealed } };
    const begin = { slots: { "task-list": { seen: 2 } }, assignment: review, isWorkLeft: true };
    const moment = { at: startAt, upMs: 50 };
    const slots = { ...begin.slots, sealed };
    expect(decide(remembering, { type: "asked", request: "go-on", seq: null, begin, ...moment })[0]).toMatchObject({
      slots,
    });
    const again = { type: "run-resumed" as const, lostSpend: null, answer: null, change: {}, missed: null, begin };
    expect(decide(remembering, { ...again, ...moment })[0]).toMatchObject({ slots });
  });

  it("is in order before a pause after a failed turn, too (CW-4C)", () => {
    const paused = play(listed, turnStarts, ask("pause"), turnEnds({ exitCode: 1, result: "none" }), tasks(false));
    expect(repairs(paused)).toHaveLength(1);
    expect(paused.state).toMatchObject({ isHeld: true, dueGates: [] });
  });

  it("gives the next turn its role and task (S4-13)", () => {
    const { effects } = play(listed, turn(), repaired({ list: taskList(review) }));
    expect(effects.at(-1)).toMatchObject({ type: "begin-turn", iteration: 2, assignment: review });
  });

  it("is in order before the run ends, however it ends (CW-4C, R-102)", () => {
    check({ policy: listed, moves: [turnStarts, ask("cancel"), isCutOff("turn"), tasks(false)] }, [
      "turn 1",
      "cut",
      "tasks",
      "cancelled",
    ]);
    check({ policy: guarded, moves: [turn(), ask("interrupt-now"), isCutOff("checks"), tasks(false)] }, [
      "turn 1",
      "guardrails",
      "cut",
      "tasks",
      "interrupted",
    ]);
    const denied = { failure: { kind: "authentication" as const, message: "no key", resetAt: null } };
    check({ policy: listed, moves: [turn({ ...denied, result: "error" }), tasks(false)] }, [
      "turn 1",
      "tasks",
      "failed",
    ]);
  });

  it("is in order before a usage limit is waited for, and the turn is not counted", () => {
    const failure = { kind: "limit" as const, message: "later", resetAt: startAt + 60_000 };
    const played = check({ policy: listed, moves: [turn({ result: "error", failure }), tasks(false, "Undone.")] }, [
      "turn 1",
      "tasks",
      "wait for usage-limit",
    ]);
    expect(played.state.iteration).toBe(0);
    expect(played.state.feedback).toEqual([{ kind: "note", text: "Undone." }]);
  });

  it("is in order before a turn that died with its driver is repeated (R-44, CW-4C)", () =>
    check({ policy: listed, moves: [turnStarts, resumed(), tasks(false)] }, ["turn 1", "tasks", "turn 1"]));

  it("repeats the cut turn under its number after a resume", () => {
    const cut = play(listed, turnStarts, ask("interrupt-now"), isCutOff("turn"), tasks(false));
    expect(goOn(cut, resumed()).orders.slice(-2)).toEqual(["interrupted", "turn 1"]);
  });

  it("is read anew when people edited it after the end", () => {
    const ended = play({ ...listed, iterationsMax: 1 }, turn(), repaired({ list: taskList(review) }));
    const list = taskList({ role: "implement", taskId: "US-002" });
    expect(goOn(ended, resumed({ iterationsMax: 2 }, { list })).effects.at(-1)).toMatchObject({
      type: "begin-turn",
      assignment: list.assignment,
    });
  });

  it("ends the run when no turn can help: a review held at the cap, dependencies without end (CW-4G, CW-4I)", () => {
    const stop = { name: "waiting" as const, reason: "Held at the cap: US-001." };
    const { state } = check({ policy: listed, moves: [turn(), repaired({ stop })] }, ["turn 1", "tasks", "waiting"]);
    expect(state.outcome).toEqual(stop);
  });

  it("completes from the list without a tag, and names what was approved at the cap (S4-16, CW-4A)", () => {
    const remark = "Approved at the cap: US-002.";
    const { state } = check({ policy: listed, moves: [turn(), repaired({ isComplete: true, remark })] }, [
      "turn 1",
      "tasks",
      "completed",
    ]);
    expect(state.outcome?.reason).toBe(`Claim accepted in iteration 1: check 0 green. ${remark}`);
  });

  it("answers a tag that comes too early with a note (S4-15, S4-78, R-105)", () => {
    const { state } = play(listed, done, tasks(false));
    expect(state.feedback).toEqual([
      { kind: "note", text: "The completion tag was claimed, but not every task of the list is approved: continue." },
    ]);
  });

  it("looks once more when nothing is left to do, and stops when the checks stay red", () => {
    const left = repaired({ list: taskList(null) });
    const policy = { ...guarded, failuresMax: null };
    check({ policy, moves: [turn(), checks(1), left, turnEnds({ isSkipped: true }), checks(1), left] }, [
      "turn 1",
      "guardrails",
      "tasks",
      "turn 1",
      "guardrails",
      "tasks",
      "stopped",
    ]);
  });
});

describe("an answer without a word", () => {
  const policy = { ...listed, emptyTurnsMax: 3 };
  const empty = turn({ isEmpty: true });

  it("is repeated under its number, and three in a row stop the run (S4-20, CW-4K)", () =>
    check({ policy, moves: [empty, tasks(false), empty, tasks(false), empty, tasks(false)] }, [
      "turn 1",
      "tasks",
      "turn 1",
      "tasks",
      "turn 1",
      "tasks",
      "stopped",
    ]));

  it("begins to count anew after a turn that answered", () =>
    check({ policy, moves: [empty, tasks(false), turn(), tasks(false), empty, tasks(false)] }, [
      "turn 1",
      "tasks",
      "turn 1",
      "tasks",
      "turn 2",
      "tasks",
      "turn 2",
    ]));

  it("is an ordinary iteration elsewhere", () => check({ policy: {}, moves: [empty] }, ["turn 1", "turn 2"]));
});

describe("a role that may reject", () => {
  const policy = { canReject: true, kind: "work" as const, criteria: 1 };
  const rejecting = claiming({ wrongPromise: "REJECT: no tests", rejected: "no tests" });

  it("ends its run with the reason, without asking its criteria (CB-16)", () => {
    const { state } = check({ policy, moves: [rejecting] }, ["turn 1", "waiting"]);
    expect(state.outcome?.reason).toBe("Rejected: no tests");
  });

  it("has not passed the work when it says both", () =>
    check({ policy, moves: [claiming({ isPromised: true, rejected: "no tests" })] }, ["turn 1", "waiting"]));

  it("is a wrong promise where nobody may reject", () => {
    const { state } = check({ policy: {}, moves: [rejecting] }, ["turn 1", "turn 2"]);
    expect(state.feedback).toEqual([{ kind: "wrong-promise", found: "REJECT: no tests", expected: "DONE" }]);
  });
});

describe("the words of a role's run", () => {
  const policy = { kind: "work" as const, criteria: 1, iterationsMax: 1 };
  const reason = (...moves: Move[]): string | undefined => play(policy, ...moves).state.outcome?.reason;

  it("say why it is over (S2-13, S2-15, S2-16)", () => {
    expect(reason(turn())).toBe("Max iterations reached without completion promise");
    expect(reason(failing)).toBe(
      "Max iterations reached without completion promise. The last turn failed with exit code 1.",
    );
    expect(reason(done, checks(0))).toBe("Completion verified");
    expect(reason(done, checks(1))).toBe("Max iterations reached. Last verification: check 0 exited with code 1");
  });

  it("do not take a reason for the outcome (CW-2C, R-66)", () => {
    const red = { index: 0, name: "x", isPassed: false, exitCode: 0, isTimedOut: false, durationMs: 1 };
    const verdicts = [{ ...red, reason: "Output doesn't contain: passed", output: { text: "" }, logFile: null }];
    const answer: Move = {
      passMs: 0,
      news: (effectId) => [{ type: "gate-finished", effectId, ...plainAnswer(verdicts) }],
    };
    const { state } = play(policy, done, answer);
    expect(state.outcome).toEqual({
      name: "exhausted",
      reason: "Max iterations reached. Last verification: Output doesn't contain: passed",
    });
  });

  it("keep the last three attempts for the next prompt, claimed or not (CW-2M, CW-2O, R-71)", () => {
    const wrong = turn({ claims: { ...noClaims, wrongPromise: "OK" } });
    const { effects } = play({ ...policy, iterationsMax: 9 }, turn(), wrong, done, checks(1), turn());
    expect(effects.at(-1)).toMatchObject({
      type: "begin-turn",
      attempts: [
        { iteration: 2, isClaimed: false, reason: "Wrong promise 'OK', expected 'DONE'." },
        { iteration: 3, isClaimed: true, reason: "check 0 exited with code 1" },
        { iteration: 4, isClaimed: false, reason: "No completion promise found" },
      ],
    });
  });
});

describe("the baseline", () => {
  const policy = { hasBaseline: true, guardrails: 1 };

  it("is looked at once before the first turn and changes words, never gates", () => {
    const { state } = check({ policy, moves: [checks(1), done, checks(1)] }, [
      "baseline",
      "turn 1",
      "guardrails",
      "turn 2",
    ]);
    expect(state.feedback).toMatchObject([{ kind: "output", label: "baseline-broken" }]);
  });

  it("calls a check that was green regressed", () => {
    const { state } = play(policy, checks(0), turn(), checks(1));
    expect(state.feedback).toMatchObject([{ kind: "output", label: "regressed" }]);
  });
});
