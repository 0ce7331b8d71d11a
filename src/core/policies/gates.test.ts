import { describe, expect, it } from "vitest";
import { plain, verdict } from "../../../tests/engine/play.ts";
import { emptyReport, type TurnReport } from "../agents/turn-report.ts";
import { noClaims } from "../claims/claim-report.ts";
import type { Policy } from "../engine/policy.ts";
import { type IterationFacts, newRun, noFacts, type RunState } from "../engine/state.ts";
import {
  checkResults,
  isComplete,
  isUnmovedClaim,
  needsChildren,
  needsCriteria,
  needsDelivery,
  waitingReason,
} from "./gates.ts";

type Given = {
  policy?: Partial<Policy>;
  facts?: Partial<IterationFacts>;
  report?: Partial<TurnReport>;
  state?: Partial<RunState>;
};

const claimed = { ...noClaims, isPromised: true };

/** A turn that ended well and claims to be done; rows change what matters. */
function run({ policy = {}, facts = {}, report = {}, state = {} }: Given): RunState {
  const ended = { ...emptyReport, exitCode: 0, result: "success" as const, claims: claimed, ...report };
  return { ...newRun({ ...plain, ...policy }), facts: { ...noFacts, report: ended, ...facts }, ...state };
}

describe("isComplete", () => {
  function check(given: Given, expected: boolean): void {
    expect(isComplete(run(given))).toBe(expected);
  }

  it("needs a claim of a turn that did not fail (S1-45, CB-05)", () => {
    check({}, true);
    check({ report: { claims: noClaims } }, false);
    check({ report: { result: "error" } }, false);
    check({ facts: { report: null } }, false);
  });

  it("needs the first response to be the expected text, whatever a promise says (CB-04)", () =>
    check({ report: { claims: { ...claimed, response: "NOT YET" } } }, false));

  it("needs every guardrail that is configured, each green (S1-44, S1-51)", () => {
    const policy = { guardrailCount: 2 };
    check({ policy, facts: { guardrails: [verdict(0), verdict(0)] } }, true);
    check({ policy, facts: { guardrails: [verdict(0), verdict(1)] } }, false);
    check({ policy, facts: { guardrails: [verdict(0)] } }, false);
    check({ policy }, false);
  });

  it("needs the criteria and the children where there are any (CB-07)", () => {
    check({ policy: { criterionCount: 1 } }, false);
    check({ policy: { criterionCount: 1 }, facts: { criteria: [verdict(1)] } }, false);
    check({ policy: { criterionCount: 1 }, facts: { criteria: [verdict(0)] } }, true);
    check({ policy: { hasChildren: true } }, false);
    check({ policy: { hasChildren: true }, facts: { children: [verdict(1)] } }, false);
    check({ policy: { hasChildren: true }, facts: { children: [] } }, true);
    check({ policy: { hasChildren: true }, facts: { children: [verdict(0)] } }, true);
  });

  it("needs the task list where there is one, with or without a tag (CB-07)", () => {
    const policy = { hasTasks: true };
    check({ policy }, false);
    check({ policy, facts: { tasks: { isComplete: false, violations: [], remark: null } } }, false);
    check(
      { policy, report: { claims: noClaims }, facts: { tasks: { isComplete: true, violations: [], remark: null } } },
      true,
    );
  });

  it("does not ask whether the delivery worked (CW-1J)", () =>
    check({ policy: { hasDelivery: true }, state: { deliveryProblem: "no network" } }, true));

  it("needs a change since the run began, with requireProgress (R-16)", () => {
    check({ policy: { requireProgress: true } }, false);
    check({ policy: { requireProgress: true }, state: { isAnythingChanged: true } }, true);
  });
});

describe("what an iteration still needs", () => {
  const red = { guardrails: [verdict(1)] };

  it("is a delivery after green guardrails only (S1-60)", () => {
    const policy = { hasDelivery: true, guardrailCount: 1 };
    expect(needsDelivery(run({ policy, facts: { guardrails: [verdict(0)] } }))).toBe(true);
    expect(needsDelivery(run({ policy, facts: red }))).toBe(false);
    expect(needsDelivery(run({ policy }))).toBe(false);
    expect(needsDelivery(run({ policy: { ...policy, hasDelivery: false }, facts: { guardrails: [verdict(0)] } }))).toBe(
      false,
    );
  });

  it("is the criteria on a standing claim only (S1-51)", () => {
    const policy = { criterionCount: 1, guardrailCount: 1 };
    expect(needsCriteria(run({ policy, facts: { guardrails: [verdict(0)] } }))).toBe(true);
    expect(needsCriteria(run({ policy, facts: red }))).toBe(false);
    expect(needsCriteria(run({ policy: { criterionCount: 1 }, report: { claims: noClaims } }))).toBe(false);
    expect(needsCriteria(run({}))).toBe(false);
  });

  it("is the children after green criteria only", () => {
    const policy = { criterionCount: 1, hasChildren: true };
    expect(needsChildren(run({ policy, facts: { criteria: [verdict(0)] } }))).toBe(true);
    expect(needsChildren(run({ policy, facts: { criteria: [verdict(1)] } }))).toBe(false);
    expect(needsChildren(run({ policy: { criterionCount: 1 }, facts: { criteria: [verdict(0)] } }))).toBe(false);
  });
});

describe("waitingReason", () => {
  const blocked = { ...noClaims, blocked: "no key", question: "Which?" };

  it("names the block before the question", () => {
    expect(waitingReason(run({ report: { claims: blocked } }))).toBe("Blocked: no key");
    expect(waitingReason(run({ report: { claims: { ...blocked, blocked: null } } }))).toBe("Needs a decision: Which?");
  });

  it("is null without either, and for a failed turn", () => {
    expect(waitingReason(run({}))).toBeNull();
    expect(waitingReason(run({ report: { claims: blocked, result: "error" } }))).toBeNull();
  });
});

describe("small facts", () => {
  it("an unmoved claim needs the rule, a claim and no change (R-16)", () => {
    const policy = { requireProgress: true };
    expect(isUnmovedClaim(run({ policy }))).toBe(true);
    expect(isUnmovedClaim(run({}))).toBe(false);
    expect(isUnmovedClaim(run({ policy, report: { claims: noClaims } }))).toBe(false);
    expect(isUnmovedClaim(run({ policy, state: { isAnythingChanged: true } }))).toBe(false);
  });

  it("check results tell guardrails and criteria by name and exit code", () =>
    expect(checkResults({ ...noFacts, guardrails: [verdict(0, 0)], criteria: [verdict(7, 1)] })).toBe(
      "check 0=0\ncheck 1=7",
    ));
});
