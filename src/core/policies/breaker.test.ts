import { describe, expect, it } from "vitest";
import { plain, toyGate, verdict } from "../../../tests/engine/play.ts";
import { emptyReport, type TurnReport } from "../agents/turn-report.ts";
import { noClaims } from "../claims/claim-report.ts";
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
    ["exit code", { exitCode: 9, errorOutput: "a\nboom\n" }, "failed with exit code 9: a; boom"],
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

describe("iterationIsUnchanged in a role's run", () => {
  const refused = (reason: string) => ({ iteration: 1, isClaimed: true, isVerified: false, reason });

  function check(given: { kind: "run" | "work"; before: string; now: string }, expected: boolean): void {
    const claims = { ...noClaims, isPromised: true };
    const red = { ...verdict(1), reason: given.now };
    const gates = [toyGate("one")];
    const state = run({
      policy: { ...plain, kind: given.kind, gates },
      facts: {
        ...noFacts,
        report: { ...emptyReport, exitCode: 0, isTreeChanged: false, claims },
        verdicts: { one: [red] },
      },
      attempts: [refused(given.before)],
      lastCheckResults: "check 0=1",
    });
    expect(iterationIsUnchanged(state)).toBe(expected);
  }

  it("is false when the claim is refused for another reason (S2-17)", () =>
    check({ kind: "work", before: "Output doesn't contain: 200", now: "Output contains forbidden: FAILED" }, false));
  it("is true when the claim is refused for the same reason", () =>
    check({ kind: "work", before: "Output doesn't contain: 200", now: "Output doesn't contain: 200" }, true));
  it("is true when only a judge's words differ", () => {
    const words = { ...verdict(1), reason: "It is nearly there.", method: "semantic" as const };
    const state = run({
      policy: { ...plain, kind: "work", gates: [toyGate("one")] },
      facts: {
        ...noFacts,
        report: { ...emptyReport, exitCode: 0, isTreeChanged: false, claims: { ...noClaims, isPromised: true } },
        verdicts: { one: [words] },
      },
      attempts: [refused("It is far from done.")],
      lastCheckResults: "check 0=1",
    });
    expect(iterationIsUnchanged(state)).toBe(true);
  });
  it("is true when only the agent's words differ, without a claim", () => {
    const report = {
      ...emptyReport,
      exitCode: 0,
      isTreeChanged: false,
      claims: { ...noClaims, wrongPromise: "ALMOST 2" },
    };
    const before = { ...refused("Wrong promise 'ALMOST 1'."), isClaimed: false };
    const policy = { ...plain, kind: "work" as const };
    expect(iterationIsUnchanged(run({ policy, facts: { ...noFacts, report }, attempts: [before] }))).toBe(true);
  });
  it("asks for no reason in other runs", () => check({ kind: "run", before: "one", now: "two" }, true));
  it("is false when a role claims for the first time", () =>
    check({ kind: "work", before: "No completion promise found", now: "Command exited with 1, expected 0" }, false));
});
