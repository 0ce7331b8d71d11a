import { describe, expect, it } from "vitest";
import { policyOf, type Shape, verdict } from "../../../tests/engine/play.ts";
import { emptyReport } from "../agents/turn-report.ts";
import { type ClaimReport, noClaims } from "../claims/claim-report.ts";
import { type IterationFacts, newRun, noFacts } from "../run/state.ts";
import { iterationFeedback } from "./feedback.ts";

type Given = { claims?: Partial<ClaimReport>; verdicts?: IterationFacts["verdicts"]; policy?: Shape };

/** Two gates told by their output, one by its reason. */
const shape: Shape = { guardrails: 2, criteria: 1 };

function check({ claims = {}, verdicts = {}, policy = {} }: Given, expected: object[]): void {
  const report = { ...emptyReport, claims: { ...noClaims, ...claims } };
  const state = { ...newRun(policyOf({ ...shape, ...policy })), facts: { ...noFacts, report, verdicts } };
  expect(iterationFeedback(state)).toEqual(expected);
}

const wrong = { kind: "wrong-promise", found: "OK", expected: "DONE" };

describe("iterationFeedback", () => {
  it("is empty when nothing failed and nothing was claimed wrongly (S1-46)", () => {
    check({}, []);
    check({ verdicts: { "guardrail-1": [verdict(0)], "criterion-1": [verdict(0)] } }, []);
  });

  it("names only the guardrails that failed, by their place in the list (S1-44)", () =>
    check({ verdicts: { "guardrail-1": [verdict(0, 0)], "guardrail-2": [verdict(3, 1)] } }, [
      {
        kind: "output",
        name: "check 1",
        exitCode: 3,
        logFile: ".ralph/guardrail_001_check_1.log",
        output: { text: "output 1" },
      },
    ]));

  it("keeps the order guardrails, criteria, tasks, refused claim, mention, wrong promise", () => {
    const facts = {
      verdicts: { "criterion-1": [verdict(1)], "guardrail-1": [verdict(1)] },
      words: { "task-list": { isClaim: true, isWorkLeft: true, assignment: null, notes: ["Undone."], remark: null } },
    };
    const policy = { requireProgress: true, hasTasks: true };
    const kinds = (claims: Partial<ClaimReport>) => {
      const report = { ...emptyReport, claims: { ...noClaims, ...claims } };
      const state = { ...newRun(policyOf({ ...shape, ...policy })), facts: { ...noFacts, ...facts, report } };
      return iterationFeedback(state).map(({ kind }) => kind);
    };
    expect(kinds({ isMentioned: true })).toEqual(["output", "reason", "note", "unchanged", "mentioned"]);
    expect(kinds({ wrongPromise: "OK" })).toEqual(["output", "reason", "note", "unchanged", "wrong-promise"]);
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
    check({ verdicts: { "criterion-1": [verdict(2)] } }, [
      { kind: "reason", name: "check 0", reason: "check 0 exited with code 2", output: { text: "output 0" } },
    ]));
});
