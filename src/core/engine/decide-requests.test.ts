import { noClaims } from "../claims/claim-report.ts";
import { describe, expect, it } from "vitest";
import {
  after,
  ask,
  checks,
  delivered,
  done,
  endFor,
  failing,
  goOn,
  isCutOff,
  type Move,
  play,
  type Played,
  resumed,
  tasks,
  timerFires,
  turn,
  turnEnds,
  turnStarts,
} from "../../../tests/engine/play.ts";
import type { Request } from "../run/observation.ts";

/** A run at work on each kind of operation, and how that operation answers when it is cut or when it finishes. */
const phases: Record<string, { run: () => Played; cut: Move; finish: Move }> = {
  turn: { run: () => play({}, turnStarts), cut: isCutOff("turn"), finish: turnEnds() },
  tasks: { run: () => play({ hasTasks: true }, turn()), cut: isCutOff("tasks"), finish: tasks(false) },
  guardrails: { run: () => play({ guardrails: 1 }, turn()), cut: isCutOff("checks"), finish: checks(1) },
  criteria: { run: () => play({ criteria: 1 }, done), cut: isCutOff("checks"), finish: checks(1) },
  delivery: { run: () => play({ hasDelivery: true }, turn()), cut: isCutOff("delivery"), finish: delivered() },
};

const waiting = (): Played => play({ retryDelayMs: 1000 }, failing);

/** What is ordered after a request, once the run had done what `run` says. */
function check(run: Played, moves: Move[], expected: string[]): Played {
  const played = goOn(run, ...moves);
  expect(played.orders.slice(run.orders.length)).toEqual(expected);
  return played;
}

describe.each(Object.entries(phases))("during %s", (_name, { run, cut, finish }) => {
  it("cancel cuts the operation and ends the run for good (CB-19, R-42)", () => {
    const ended = check(run(), [ask("cancel"), cut], ["cut", "cancelled"]);
    check(ended, [ask("go-on"), resumed()], []);
    expect(ended.state.outcome).toEqual({ name: "cancelled", reason: "Cancelled by request." });
  });

  it("cancel ends the run even if the operation finished just before (R-42)", () => {
    expect(goOn(run(), ask("cancel"), finish).orders.slice(run().orders.length)).toEqual(["cut", "cancelled"]);
  });

  it("pause lets the operation finish and begins nothing new until go-on", () => {
    const paused = check(run(), [ask("pause"), finish], []);
    expect(paused.state).toMatchObject({ isHeld: true, isPauseAsked: true, outcome: null });
    const next = goOn(paused, ask("go-on"));
    expect(next.effects.length).toBe(paused.effects.length + 1);
    expect(next.state).toMatchObject({ isHeld: false, isPauseAsked: false });
  });

  it("go-on before the operation finished takes the pause back", () => {
    const straight = goOn(run(), finish);
    expect(goOn(run(), ask("pause"), ask("go-on"), finish).orders).toEqual(straight.orders);
  });

  it("a first signal lets the operation finish, then the run is interrupted (R-84, CW-1A)", () => {
    const ended = check(run(), [ask("interrupt"), finish], ["interrupted"]);
    expect(ended.state.pending).not.toBeNull();
    expect(goOn(ended, resumed()).orders.at(-1)).toBe(goOn(run(), finish).orders.at(-1));
  });

  it("a second signal cuts it at once, and resume repeats it (R-84, CW-1A)", () => {
    const ended = check(run(), [ask("interrupt"), ask("interrupt-now"), cut], ["cut", "interrupted"]);
    const again = goOn(ended, resumed());
    expect(again.orders.at(-1)).toBe(run().orders.at(-1));
    expect(again.state.pending?.id).toBeGreaterThan(run().state.pending?.id ?? Infinity);
  });

  it("what ends the work run ends its role runs by the same name: interrupted is only said after a signal", () => {
    const because = { name: "stopped" as const, reason: "Spent $2.00 of the budget of $1.00." };
    const ended = check(run(), [endFor(because), cut], ["cut", "stopped"]);
    expect(ended.state.outcome).toEqual(because);
  });

  it("a cancel outranks signals, before and after", () => {
    check(run(), [ask("interrupt-now"), ask("cancel"), cut], ["cut", "cancelled"]);
    check(run(), [ask("cancel"), ask("interrupt-now"), cut], ["cut", "cancelled"]);
  });
});

describe("during a wait", () => {
  it.each<[Request, string[]]>([
    ["cancel", ["cut", "cancelled"]],
    ["interrupt", ["cut", "interrupted"]],
    ["interrupt-now", ["cut", "interrupted"]],
  ])("%s ends the run at once, without waiting for the rest (R-87)", (request, expected) => {
    check(waiting(), [ask(request)], expected);
  });

  it("a wait that ends while the run is paused begins nothing", () => {
    const paused = check(waiting(), [ask("pause"), timerFires], []);
    check(paused, [ask("go-on")], ["turn 2"]);
  });
});

describe("between operations", () => {
  it("cancel ends a paused run at once (CB-19)", () => {
    const paused = goOn(play({}), ask("pause"), turn());
    check(paused, [ask("cancel")], ["cancelled"]);
  });

  it("a signal ends a paused run at once, and resume goes on with what was held", () => {
    const paused = goOn(play({}), ask("pause"), turn());
    const ended = check(paused, [ask("interrupt")], ["interrupted"]);
    check(ended, [resumed()], ["turn 2"]);
  });

  it("go-on to a run that is not paused changes nothing but the newest request heard", () => {
    const run = play({}, turnStarts);
    expect(goOn(run, ask("go-on", 4)).state).toEqual({ ...run.state, lastRequestSeq: 4 });
  });

  it("the number of a request is remembered; a signal has none (R-42)", () => {
    expect(goOn(play({}), ask("pause", 7), ask("interrupt")).state.lastRequestSeq).toBe(7);
  });

  it("a run that completes in spite of a first signal has completed", () => {
    const run = play({}, turnStarts);
    check(run, [ask("interrupt"), turnEnds({ claims: { ...noClaims, isPromised: true } })], ["completed"]);
  });

  it("time in a pause is time used", () => {
    const paused = goOn(play({ budgetMs: 1000 }), ask("pause"), turn(), after(1200, ask("go-on")));
    expect(paused.state.usedMs).toBe(1200);
  });
});
