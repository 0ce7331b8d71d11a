import { describe, expect, it } from "vitest";
import { policyOf, type Shape, verdict } from "../../../tests/engine/play.ts";
import { emptyReport, type TurnReport } from "../agents/turn-report.ts";
import { noClaims } from "../claims/claim-report.ts";
import { type IterationFacts, newRun, noFacts, type RunState } from "../run/state.ts";
import { checkResults, isComplete, isUnmovedClaim, nextStage, refusalReason, waitingReason } from "./gates.ts";

type Given = {
  policy?: Shape;
  facts?: Partial<IterationFacts>;
  report?: Partial<TurnReport>;
  state?: Partial<RunState>;
};

const claimed = { ...noClaims, isPromised: true };

/** A turn that ended well and claims to be done; rows change what matters. */
function run({ policy = {}, facts = {}, report = {}, state = {} }: Given): RunState {
  const ended = { ...emptyReport, exitCode: 0, result: "success" as const, claims: claimed, ...report };
  return { ...newRun(policyOf(policy)), facts: { ...noFacts, report: ended, ...facts }, ...state };
}

function found(exitCodes: Record<string, number>): Partial<IterationFacts> {
  return { verdicts: Object.fromEntries(Object.entries(exitCodes).map(([id, code]) => [id, [verdict(code)]])) };
}

function listed(isClaim: boolean): Partial<IterationFacts> {
  const word = { isClaim, isWorkLeft: true, assignment: null, notes: [], remark: null };
  return { ...found({ "task-list": 0 }), words: { "task-list": word } };
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
    const policy = { guardrails: 2 };
    check({ policy, facts: found({ "guardrail-1": 0, "guardrail-2": 0 }) }, true);
    check({ policy, facts: found({ "guardrail-1": 0, "guardrail-2": 1 }) }, false);
    check({ policy, facts: found({ "guardrail-1": 0 }) }, false);
    check({ policy, facts: { verdicts: { "guardrail-1": [verdict(0)], "guardrail-2": [] } } }, false);
    check({ policy }, false);
  });

  it("needs the criteria and the children where there are any (CB-07)", () => {
    check({ policy: { criteria: 1 } }, false);
    check({ policy: { criteria: 1 }, facts: found({ "criterion-1": 1 }) }, false);
    check({ policy: { criteria: 1 }, facts: found({ "criterion-1": 0 }) }, true);
    check({ policy: { hasChildren: true } }, false);
    check({ policy: { hasChildren: true }, facts: found({ children: 1 }) }, false);
    check({ policy: { hasChildren: true }, facts: found({ children: 0 }) }, true);
  });

  it("needs the task list where there is one, with or without a tag (CB-07)", () => {
    const policy = { hasTasks: true };
    check({ policy }, false);
    check({ policy, facts: listed(false) }, false);
    check({ policy, report: { claims: noClaims }, facts: listed(true) }, true);
  });

  it("does not ask whether the delivery worked (CW-1J)", () =>
    check({ policy: { hasDelivery: true }, state: { deliveryProblem: "no network" } }, true));

  it("needs a change since the run began, with requireProgress (R-16)", () => {
    check({ policy: { requireProgress: true } }, false);
    check({ policy: { requireProgress: true }, state: { isAnythingChanged: true } }, true);
  });
});

describe("what an iteration needs next", () => {
  const all: Shape = { guardrails: 2, criteria: 1, hasChildren: true, hasDelivery: true };
  const every = { "guardrail-1": 0, "guardrail-2": 0 };

  function check(given: Given, expected: string): void {
    const stage = nextStage(run(given));
    expect(stage.kind === "gate" ? stage.gate.id : stage.kind).toBe(expected);
  }

  it("is every gate of every turn, whatever the ones before said (S1-43)", () => {
    check({ policy: all }, "guardrail-1");
    check({ policy: all, facts: found({ "guardrail-1": 1 }) }, "guardrail-2");
  });

  it("is the delivery after green gates only (S1-60)", () => {
    const policy = { hasDelivery: true, guardrails: 1 };
    const unclaimed = { claims: noClaims };
    check({ policy, facts: found({ "guardrail-1": 0 }), report: unclaimed }, "delivery");
    check({ policy, facts: found({ "guardrail-1": 1 }), report: unclaimed }, "conclusion");
    check({ policy: { guardrails: 1 }, facts: found({ "guardrail-1": 0 }) }, "conclusion");
    check({ policy, facts: { ...found({ "guardrail-1": 0 }), isDelivered: true } }, "conclusion");
  });

  it("is a gate before delivery also where a red verdict is in dispute, and neither delivery nor completion then", () => {
    const open = { ...verdict(1), isDisputable: true as const };
    const disputed = (more: IterationFacts["verdicts"] = {}): Partial<IterationFacts> => ({
      verdicts: { "guardrail-1": [open], "guardrail-2": [verdict(0)], ...more },
    });
    check({ policy: all, facts: disputed() }, "criterion-1");
    check({ policy: all, facts: disputed({ "guardrail-2": [verdict(1)] }) }, "conclusion");
    check({ policy: all, facts: disputed(), report: { claims: noClaims } }, "conclusion");
    const green = disputed({ "criterion-1": [verdict(0)] });
    check({ policy: all, facts: green }, "conclusion");
    expect(isComplete(run({ policy: { guardrails: 1 }, facts: { verdicts: { "guardrail-1": [open] } } }))).toBe(false);
    const decided = { ...verdict(1), reason: "a person decides" };
    expect(refusalReason(run({ policy: all, facts: disputed({ "criterion-1": [decided] }) }))).toBe("a person decides");
  });

  it("is a gate on a claim only with a claim that stands (S1-51)", () => {
    check({ policy: all, facts: found(every) }, "criterion-1");
    check({ policy: all, facts: found({ ...every, "guardrail-2": 1 }) }, "conclusion");
    check({ policy: all, facts: found(every), report: { claims: noClaims } }, "delivery");
  });

  it("is no delivery of a claim that a gate before it refuses", () => {
    check({ policy: all, facts: found({ ...every, "criterion-1": 1 }) }, "conclusion");
    check({ policy: all, facts: found({ ...every, "criterion-1": 0 }) }, "delivery");
  });

  it("is what waits for the delivery after it", () =>
    check({ policy: all, facts: { ...found({ ...every, "criterion-1": 0 }), isDelivered: true } }, "children"));
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
    expect(checkResults({ ...noFacts, verdicts: { one: [verdict(0, 0)], other: [verdict(7, 1)] } })).toBe(
      "check 0=0\ncheck 1=7",
    ));
});
