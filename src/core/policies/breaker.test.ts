import { describe, expect, it } from "vitest";
import { plain, verdict } from "../../../tests/engine/play.ts";
import { emptyReport, type TurnReport } from "../agents/turn-report.ts";
import { newRun, noFacts, type RunState } from "../run/state.ts";
import { breakerReason, iterationIsUnchanged } from "./breaker.ts";

const run = (change: Partial<RunState>, report: Partial<TurnReport> = {}): RunState => ({
  ...newRun({ ...plain, failuresMax: 3, unchangedMax: 2 }),
  facts: { ...noFacts, report: { ...emptyReport, ...report } },
  ...change,
});

describe("breakerReason", () => {
  function check(state: RunState, expected: string | null): void {
    expect(breakerReason(state)).toBe(expected);
  }

  it("is silent below its counts (CB-05)", () => check(run({ failuresInRow: 2, unchangedInRow: 1 }), null));

  it.each<[string, Partial<TurnReport>, string]>([
    ["message", { failure: { kind: "other", message: "Overloaded.", resetAt: null } }, "failed: Overloaded"],
    ["timeout", { timedOut: "idle", signal: "SIGTERM" }, "ended by the idle timeout"],
    ["signal", { signal: "SIGSEGV" }, "ended by SIGSEGV"],
    ["exit code", { exitCode: 9, errorOutput: "a\nboom\n" }, "failed with exit code 9: boom"],
  ])("names the last failure by its %s (CB-05)", (_what, report, expected) =>
    check(run({ failuresInRow: 3 }, report), `3 turns in a row failed, the last one ${expected}.`),
  );

  it("stops turns that change nothing", () =>
    check(run({ unchangedInRow: 2 }), "2 turns in a row changed neither files, commits nor check results."));

  it("is silent when it is switched off", () =>
    check({ ...run({ failuresInRow: 99, unchangedInRow: 99 }), policy: { ...plain, failuresMax: null } }, null));
});

describe("iterationIsUnchanged", () => {
  function check(given: { isTreeChanged: boolean | null; before: string; exitCode?: number }, expected: boolean): void {
    const facts = { ...noFacts, verdicts: given.exitCode === undefined ? {} : { one: [verdict(given.exitCode)] } };
    const report = { ...emptyReport, isTreeChanged: given.isTreeChanged };
    expect(iterationIsUnchanged(run({ facts: { ...facts, report }, lastCheckResults: given.before }))).toBe(expected);
  }

  it("needs somebody who looked at the tree", () => check({ isTreeChanged: null, before: "" }, false));
  it("is false for a changed tree", () => check({ isTreeChanged: true, before: "" }, false));
  it("is true for the first look at an unchanged tree", () =>
    check({ isTreeChanged: false, before: "", exitCode: 1 }, true));
  it("is true for the same check results", () =>
    check({ isTreeChanged: false, before: "check 0=1", exitCode: 1 }, true));
  it("is false when a check ends otherwise than before", () =>
    check({ isTreeChanged: false, before: "check 0=1", exitCode: 2 }, false));
});
