import { describe, expect, it } from "vitest";
import { describeTurnEnd, emptyReport, errorLines, isFailedTurn, type TurnReport } from "./turn-report.ts";

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

  it("does not take a wish to wait without a restart for a failure (S3-28, R-86)", () => {
    const waits = { isDone: false, waiting: "waits: exit code 42" };
    check({ exitCode: 42, supervised: waits }, false);
    check({ exitCode: 42, supervised: { ...waits, isDone: true } }, false);
    check({ exitCode: 42, supervised: { isDone: false, waiting: null } }, true);
    expect(describeTurnEnd({ ...emptyReport, exitCode: 42, supervised: waits })).toBe("waits: exit code 42");
  });

  it("counts a turn that never started", () =>
    check({ startError: { kind: "resources", message: "" }, result: "success" }, true));
});

describe("the standard error of a failed turn", () => {
  const failed = (errorOutput: string, more: Partial<TurnReport> = {}): TurnReport => ({
    ...emptyReport,
    exitCode: 2,
    errorOutput,
    ...more,
  });

  it.each([
    [
      "error: unexpected argument '--x'\n\nUsage: agent [OPTIONS]\n\nFor more, try '--help'.",
      "error: unexpected argument '--x'",
    ],
    ["Traceback:\n  File 1\nValueError: no number\n", "ValueError: no number"],
    ["app.js:3\n  throw x\n\n  Error: it broke\n    at main\n\nNode.js v24", "Error: it broke"],
    ["no key was given\n", "no key was given"],
    ["no key was given\nsee the log\n", "no key was given; see the log"],
    ["cat: x: No such file\n\n  at line 3\nexit status 1\n", "cat: x: No such file … exit status 1"],
    [`${"x".repeat(400)}\ndone`, `${"x".repeat(150)}…; done`],
  ])("names its cause: %j", (errorOutput, cause) =>
    expect(describeTurnEnd(failed(errorOutput))).toBe(`failed with exit code 2: ${cause}`),
  );

  it("is shown by its first lines, without blank ones and cut in length", () => {
    expect(errorLines(failed(`one\n\n  two  \n${"x".repeat(400)}\n4\n5\n6`))).toEqual([
      "one",
      "  two",
      `${"x".repeat(300)}…`,
      "4",
      "5",
    ]);
  });

  it("is not repeated when its only line is the cause, and not shown of a turn that worked", () => {
    expect(errorLines(failed("no key was given\n"))).toEqual([]);
    expect(errorLines(failed("a warning\nanother", { exitCode: 0 }))).toEqual([]);
    const failure = { kind: "other" as const, message: "Overloaded", resetAt: null };
    expect(errorLines(failed("see the log", { failure }))).toEqual(["see the log"]);
  });
});
