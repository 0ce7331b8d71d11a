import { describe, expect, it } from "vitest";
import { plain, verdict } from "../../../tests/engine/play.ts";
import { emptyReport } from "../agents/turn-report.ts";
import { type ClaimReport, noClaims } from "../claims/claim-report.ts";
import type { Policy } from "../engine/policy.ts";
import { type IterationFacts, newRun, noFacts } from "../engine/state.ts";
import { iterationFeedback } from "./feedback.ts";

type Given = { claims?: Partial<ClaimReport>; facts?: Partial<IterationFacts>; policy?: Partial<Policy> };

function check({ claims = {}, facts = {}, policy = {} }: Given, expected: object[]): void {
  const report = { ...emptyReport, claims: { ...noClaims, ...claims } };
  const state = { ...newRun({ ...plain, ...policy }), facts: { ...noFacts, report, ...facts } };
  expect(iterationFeedback(state)).toEqual(expected);
}

const wrong = { kind: "wrong-promise", found: "OK", expected: "DONE" };

describe("iterationFeedback", () => {
  it("is empty when nothing failed and nothing was claimed wrongly (S1-46)", () => {
    check({}, []);
    check({ facts: { guardrails: [verdict(0)], criteria: [verdict(0)] } }, []);
  });

  it("names only the guardrails that failed, by their place in the list (S1-44)", () =>
    check({ facts: { guardrails: [verdict(0, 0), verdict(3, 1)] } }, [
      {
        kind: "guardrail",
        index: 1,
        exitCode: 3,
        logFile: ".ralph/guardrail_001_check_1.log",
        output: { text: "output 1" },
      },
    ]));

  it("keeps the order guardrails, criteria, tasks, refused claim, mention, wrong promise", () => {
    const facts = {
      guardrails: [verdict(1)],
      criteria: [verdict(1)],
      tasks: { isComplete: true, violations: ["A task was deleted."], remark: null },
    };
    const policy = { requireProgress: true, hasTasks: true };
    const kinds = (claims: Partial<ClaimReport>) => {
      const report = { ...emptyReport, claims: { ...noClaims, ...claims } };
      const state = { ...newRun({ ...plain, ...policy }), facts: { ...noFacts, ...facts, report } };
      return iterationFeedback(state).map(({ kind }) => kind);
    };
    expect(kinds({ isMentioned: true })).toEqual(["guardrail", "criterion", "task", "unchanged", "mentioned"]);
    expect(kinds({ wrongPromise: "OK" })).toEqual(["guardrail", "criterion", "task", "unchanged", "wrong-promise"]);
  });

  it("names a wrong promise, unless the right one was made too (R-14)", () => {
    check({ claims: { wrongPromise: "OK" } }, [wrong]);
    check({ claims: { wrongPromise: "OK", isPromised: true } }, []);
  });

  it("names a mention only when nothing better was said", () => {
    check({ claims: { isMentioned: true } }, [{ kind: "mentioned" }]);
    check({ claims: { isMentioned: true, wrongPromise: "OK" } }, [wrong]);
    check({ claims: { isMentioned: true, isPromised: true } }, []);
  });

  it("says that a claim without any change was refused (R-16)", () => {
    const given = { claims: { isPromised: true }, policy: { requireProgress: true } };
    check(given, [{ kind: "unchanged" }]);
    check({ ...given, claims: {} }, []);
  });

  it("gives the reason and the output of a criterion", () =>
    check({ facts: { criteria: [verdict(2)] } }, [
      { kind: "criterion", name: "check 0", reason: "check 0 exited with code 2", output: { text: "output 0" } },
    ]));
});
