import { describe, expect, it } from "vitest";
import type { StageVerdict, Verdict } from "../verification/verdict.ts";
import type { Verification } from "../tasks/criteria/completion-spec.ts";
import { type Role, roles } from "../tasks/criteria/role.ts";
import type { RoleCriterion } from "../tasks/criteria/role-criterion.ts";
import { checksOf, describeEvidence } from "./role-evidence.ts";

const facts = { isPassed: true, reason: "", exitCode: 0, durationMs: 1, logFile: null };

function verdict(more: Partial<Verdict>): Verdict {
  return { index: 0, name: "it works", isTimedOut: false, output: { text: "" }, ...facts, ...more };
}

function stage(more: Partial<StageVerdict>): StageVerdict {
  return { name: "unit", method: "external", isRequired: true, ...facts, ...more };
}

const external: Verification = {
  method: "external",
  command: "npm test",
  successExitCode: 0,
  outputContains: null,
  outputNotContains: null,
  timeoutMs: 1,
  workingDir: ".",
};

describe("the checks behind a role's claim", () => {
  const check = (verdicts: Verdict[], expected: string[], command = external.command): void => {
    const verification: Verification = { ...external, command };
    const own = { promise: "DONE", description: "", maxIterations: null, verification };
    const criterion: RoleCriterion = { role: "coder", criterion: own, outcome: "", acceptanceCriteria: [] };
    expect(checksOf({ gates: [{ id: "one" }], verdicts: { one: verdicts, other: [] }, criterion })).toEqual(expected);
  };

  it("are guardrails and commands by what they run, and a judge", () => {
    check([verdict({ name: "npm run lint" })], ["npm run lint"]);
    check([verdict({ method: "external" })], ["npm test"]);
    check([verdict({ method: "semantic" })], ["a judge"]);
    check([verdict({ method: "custom" })], ["it works"]);
  });

  it("are commands in one line, although a file has them in several", () =>
    check([verdict({ method: "external" })], ["test -f a && test -f b"], "test -f a &&\n  test -f b\n"));

  it("are none where only the claim was looked for, or a judge fell back on it (honest words)", () => {
    check([verdict({ method: "string_match" })], []);
    check([verdict({ method: "semantic", isFallback: true })], []);
    check([verdict({ name: "npm run lint", isPassed: false })], []);
  });

  it("are the stages that verified something", () =>
    check(
      [
        verdict({
          method: "multi_stage",
          stages: [
            stage({}),
            stage({ name: "word", method: "string_match" }),
            stage({ name: "lame", isPassed: false }),
            stage({ name: "judged", method: "semantic" }),
            stage({ name: "judged again", method: "semantic", isFallback: true }),
          ],
        }),
      ],
      ["unit", "a judge"],
    ));
});

describe("what a task's done rests on", () => {
  const check = (evidence: Partial<Record<Role, string[]>>, asked: readonly Role[], expected: string): void => {
    const given = roles.flatMap((role) => (evidence[role] === undefined ? [] : [{ role, checks: evidence[role] }]));
    expect(describeEvidence(given, asked)).toBe(expected);
  };

  it("names each role with its checks, and those with nothing but their word", () => {
    check(
      { coder: ["npm test"], reviewer: ["a judge"], tester: [], qa: ["npm test", "a judge"] },
      roles,
      "Verified: coder by npm test, reviewer by a judge, qa by npm test and a judge; tester by its word only.",
    );
    check(
      { coder: [], reviewer: [], tester: [], qa: [] },
      roles,
      "Not verified: coder, reviewer, tester and qa by their word only.",
    );
  });

  it("names the roles that were left out", () =>
    check({ coder: ["npm test"] }, ["coder"], "Verified: coder by npm test. Not asked: reviewer, tester and qa."));

  it("counts checks beyond the fourth", () =>
    check({ coder: ["a", "b", "c", "d", "e"] }, roles, "Verified: coder by a, b, c and 2 more."));
});
