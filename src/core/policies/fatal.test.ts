import { describe, expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { noClaims } from "../claims/claim-report.ts";
import { emptyReport, type TurnReport } from "../agents/turn-report.ts";
import { unknownSpend } from "../agents/spend.ts";
import { newRun, noFacts } from "../run/state.ts";
import { fatalReason, isEndedByDenial } from "./fatal.ts";

function check(
  given: Partial<TurnReport> & { iteration?: number; isAnythingChanged?: boolean },
  expected: unknown,
): void {
  const { iteration = 1, isAnythingChanged = false, ...report } = given;
  const state = { ...newRun(plain), iteration, isAnythingChanged };
  expect(fatalReason(state, { ...emptyReport, ...report })).toEqual(expected);
}

const denied = (changes: number): TurnReport["tools"] => ({
  calls: 3,
  errors: 3,
  denied: 4,
  deniedChanges: 3,
  changes,
});

describe("fatalReason", () => {
  it("is null for an ordinary turn and an ordinary failure", () => {
    check({}, null);
    check({ failure: { kind: "other", message: "Overloaded", resetAt: null } }, null);
    check({ failure: { kind: "limit", message: "limit", resetAt: null } }, null);
  });

  it("names a failed sign-in and an unknown model in any iteration", () => {
    const failure = { message: "401. Check THE_KEY.", resetAt: null };
    check(
      { iteration: 7, failure: { kind: "authentication", ...failure } },
      "The agent could not sign in: 401. Check THE_KEY.",
    );
    check(
      { iteration: 7, failure: { kind: "model", ...failure } },
      "The agent does not know the model: 401. Check THE_KEY.",
    );
  });

  it("names the flag that allows edits, and that only a new run gets it (CB-12)", () => {
    const rest = "A resume keeps the flags of this run, so start a new one.";
    check(
      { tools: denied(0), deniedRemedy: "--full" },
      `3 edits or commands of the agent were denied and nothing has changed: add --full to agent.flags. ${rest}`,
    );
    check(
      { tools: { ...denied(0), deniedChanges: 1 } },
      `An edit or command of the agent was denied and nothing has changed: allow edits in agent.flags. ${rest}`,
    );
  });

  it("looks at every turn where the trees were compared (CB-12)", () => {
    const later = { iteration: 4, isTreeChanged: false };
    check({ ...later, tools: denied(0) }, expect.stringContaining("denied"));
    check({ ...later, tools: denied(2) }, expect.stringContaining("denied"));
  });

  it("lets a run continue that changed something after all, in this turn or before", () => {
    check({ tools: denied(0), isTreeChanged: true }, null);
    check({ tools: denied(0), isTreeChanged: false, isAnythingChanged: true }, null);
    check({ tools: denied(1) }, null);
  });

  it("lets a later turn continue where nobody compared the trees", () =>
    check({ tools: denied(0), iteration: 2 }, null));

  it.each<Partial<TurnReport["claims"]>>([
    { isPromised: true },
    { response: "x" },
    { rejected: "x" },
    { blocked: "x" },
  ])("leaves a turn with some allowed tools to the checks and to people when the agent says %j", (claims) =>
    check({ tools: denied(1), isTreeChanged: false, claims: { ...noClaims, ...claims } }, null),
  );
});

describe("what an agent says whose edits were denied", () => {
  const spoken = (claims: Partial<TurnReport["claims"]>, more: { iteration?: number } = {}) => ({
    ...more,
    tools: denied(0),
    isTreeChanged: false,
    claims: { ...noClaims, ...claims },
  });

  it.each([1, 3])("is heard when it asks or rejects, in turn %d", (iteration) => {
    check(spoken({ question: "May I?" }, { iteration }), null);
    check(spoken({ blocked: "no key" }, { iteration }), null);
    check(spoken({ rejected: "no tests" }, { iteration }), null);
  });

  it("is for the checks when it claims, but not in a first turn that could change nothing", () => {
    check(spoken({ isPromised: true }, { iteration: 3 }), null);
    check(spoken({ isPromised: true }), expect.stringContaining("denied"));
  });
});

describe("a budget of money or tokens", () => {
  const told = { ...emptyReport, exitCode: 0, isEmpty: false, spend: unknownSpend };
  const reasonOf = (policy: object, report: TurnReport): string | null =>
    fatalReason({ ...newRun({ ...plain, ...policy }), iteration: 1 }, report);

  it.each([{ budgetUsd: 5 }, { budgetTokens: 5 }])(
    "%o ends a run whose agent prints text instead of what it uses (CB-02)",
    (policy) => expect(reasonOf(policy, told)).toContain("told neither tokens nor cost"),
  );

  it("lets a run continue whose agent told something, failed, or said nothing", () => {
    expect(reasonOf({}, told)).toBeNull();
    expect(reasonOf({ budgetUsd: 5 }, { ...told, spend: { ...unknownSpend, inputTokens: 1 } })).toBeNull();
    expect(reasonOf({ budgetUsd: 5 }, { ...told, exitCode: 1 })).toBeNull();
    expect(reasonOf({ budgetUsd: 5 }, { ...told, result: "success" })).toBeNull();
    expect(reasonOf({ budgetUsd: 5 }, { ...told, isEmpty: true })).toBeNull();
  });
});

describe("isEndedByDenial", () => {
  const report = { ...emptyReport, tools: denied(0), isTreeChanged: false };
  const ended = (name: "failed" | "stopped") => ({
    ...newRun(plain),
    iteration: 1,
    facts: { ...noFacts, report },
    outcome: { name, reason: "" },
  });

  it("is true only of the run that this ended (CB-12)", () => {
    expect([
      isEndedByDenial(ended("failed")),
      isEndedByDenial(ended("stopped")),
      isEndedByDenial(newRun(plain)),
    ]).toEqual([true, false, false]);
  });
});
