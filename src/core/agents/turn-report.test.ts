import { describe, expect, it } from "vitest";
import { emptyReport, isFailedTurn, type TurnReport } from "./turn-report.ts";

function check(report: Partial<TurnReport>, expected: boolean): void {
  expect(isFailedTurn({ ...emptyReport, ...report })).toBe(expected);
}

describe("isFailedTurn", () => {
  it("takes the agent's own word before the exit code (R-18, CB-05)", () => {
    check({ result: "error", exitCode: 0 }, true);
    check({ result: "success", exitCode: 1 }, false);
    check({ result: "success", exitCode: null, signal: "SIGTERM" }, false);
  });

  it("takes the exit code, a signal or a timeout where there is no word (CB-05)", () => {
    check({ exitCode: 0 }, false);
    check({ exitCode: 2 }, true);
    check({ exitCode: null, signal: "SIGKILL" }, true);
    check({ exitCode: 0, timedOut: "idle" }, true);
  });

  it("takes what the stream was missing for a failure where an agent ended by a signal exits with 0 (R-18)", () => {
    const failure = { kind: "other" as const, message: "no result", resetAt: null };
    check({ exitCode: 0, failure }, true);
    check({ result: "success", exitCode: 0, failure }, false);
  });

  it("counts a turn that never started", () =>
    check({ startError: { kind: "resources", message: "" }, result: "success" }, true));
});
