import { expect, it } from "vitest";
import { plain, policyOf } from "../../../tests/engine/play.ts";
import { emptyReport } from "../agents/turn-report.ts";
import { noClaims } from "../claims/claim-report.ts";
import { newRun, noFacts } from "../run/state.ts";
import { failedAttempt } from "./attempts.ts";

it("cuts a long reason: the whole evidence is in the journal", () => {
  const verdict = {
    index: 0,
    name: "x",
    isPassed: false,
    exitCode: 1,
    isTimedOut: false,
    durationMs: 1,
    logFile: null,
  };
  const report = { ...emptyReport, exitCode: 0, claims: { ...noClaims, isPromised: true } };
  const criteria = [{ ...verdict, reason: "r".repeat(2000), output: { text: "" } }];
  const state = {
    ...newRun(policyOf({ criteria: 1 })),
    facts: { ...noFacts, report, verdicts: { "criterion-1": criteria } },
  };
  expect(failedAttempt(state).reason).toHaveLength(500);
});

it("names a failed turn as such, whatever it claimed (CW-2O)", () => {
  const report = { ...emptyReport, exitCode: 1, claims: { ...noClaims, isPromised: true } };
  const state = { ...newRun(plain), facts: { ...noFacts, report } };
  expect(failedAttempt(state)).toMatchObject({ isClaimed: true, isVerified: false, reason: "The turn failed" });
});
