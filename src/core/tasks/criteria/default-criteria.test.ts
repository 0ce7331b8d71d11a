import { describe, expect, it } from "vitest";
import { criteriaFor, roleDefaults } from "./default-criteria.ts";
import { readCriterion, writeCriterion } from "./read-completion-spec.ts";
import { roles } from "./role.ts";

const completion = { outcome: "o", acceptanceCriteria: ["a", "b"], criteria: {} };

describe("default criteria", () => {
  const check = (
    role: (typeof roles)[number],
    verifyCommand: string | null,
    hasSpec: boolean,
    method: string,
  ): void => {
    const criterion = criteriaFor({ title: "Sign in", completion: hasSpec ? completion : null }, role, {
      verifyCommand,
    });
    expect(criterion.verification.method).toBe(method);
    // Reading refuses whatever can never pass: a command that is missing, stages that are not there.
    expect(readCriterion(writeCriterion(criterion))).toEqual({ criterion });
  };

  it.each([
    ["coder", "make test", true, "external"],
    ["coder", null, true, "semantic"],
    ["coder", null, false, "string_match"],
    ["coder", " ", false, "string_match"],
    ["reviewer", "make test", true, "semantic"],
    ["reviewer", "make test", false, "string_match"],
    ["tester", "make test", false, "external"],
    ["tester", null, true, "semantic"],
    ["qa", "make test", true, "multi_stage"],
    ["qa", null, true, "semantic"],
    ["qa", "make test", false, "string_match"],
    ["qa", null, false, "string_match"],
  ] as const)(
    "of %s with command %j and a spec %s can succeed: %s (S2-44, CW-2F, R-68)",
    (role, command, hasSpec, method) => check(role, command, hasSpec, method),
  );

  it("claim the document's words and allow its iterations (S2-42, S2-43)", () => {
    expect(roleDefaults).toEqual({
      coder: { promise: "IMPLEMENTATION_COMPLETE", maxIterations: 15 },
      reviewer: { promise: "REVIEW_PASSED", maxIterations: 5 },
      tester: { promise: "TESTS_PASSED", maxIterations: 10 },
      qa: { promise: "QA_PASSED", maxIterations: 5 },
    });
    for (const role of roles)
      expect(criteriaFor({ title: "t", completion: null }, role, { verifyCommand: null }).promise).toBe(
        roleDefaults[role].promise,
      );
  });

  it("describe the stage, and the acceptance criteria are what is checked for (S2-45)", () => {
    const criterion = criteriaFor({ title: "Sign in", completion }, "reviewer", { verifyCommand: null });
    expect(criterion.description).toBe("Complete reviewer stage for: Sign in");
    expect(criterion.verification).toMatchObject({ checkFor: ["{{acceptance_criteria}}"] });
  });

  it("leave a task's own criterion as it is, but for a missing description (S2-45)", () => {
    const own = {
      promise: "MINE",
      description: "",
      maxIterations: 3,
      verification: { method: "string_match", promise: null, isLoose: false },
    } as const;
    const task = { title: "Sign in", completion: { ...completion, criteria: { qa: own } } };
    expect(criteriaFor(task, "qa", { verifyCommand: "x" })).toEqual({
      ...own,
      description: "Complete qa stage for: Sign in",
    });
  });
});
