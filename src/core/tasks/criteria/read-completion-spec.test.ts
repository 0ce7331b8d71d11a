import { describe, expect, it } from "vitest";
import {
  criterionOf,
  readCompletionSpec,
  readCriterion,
  writeCompletionSpec,
  writeCriterion,
} from "./read-completion-spec.ts";

const jwtTask = {
  outcome: "Users sign in with a JWT that expires after one hour.",
  acceptance_criteria: ["POST /login returns a token", "An expired token is refused"],
  coder: {
    promise: "AUTH_IMPLEMENTED",
    description: "Sign-in works",
    verification_method: "external",
    verification_config: {
      command: "pytest tests/auth -v --cov=auth\nruff check .",
      success_exit_code: 0,
      output_contains: "passed",
      output_not_contains: "FAILED",
      timeout: 120,
      working_dir: "backend",
    },
    max_iterations: 20,
  },
  reviewer: {
    promise: "REVIEW_PASSED",
    description: "Safe",
    verification_method: "semantic",
    verification_config: {
      check_for: "{{acceptance_criteria}}",
      negative_patterns: ["FIX THIS", "/hard-?coded/i", { pattern: "console.log", scope: "diff" }],
      model: "haiku",
    },
  },
  tester: null,
  qa: {
    promise: "QA_PASSED",
    description: "All stages",
    verification_method: "multi_stage",
    verification_config: {
      stages: [
        { name: "unit", method: "external", config: { command: "npm test" } },
        { name: "style", method: "external", config: { command: "ruff check ." }, required: false, always: true },
        { name: "own", method: "custom", config: { command: ["./judge", "--strict"], config: { level: 2 } } },
        { method: "string_match", config: { promise: "QA_PASSED", loose: true } },
      ],
      require_all: false,
      parallel: true,
      max_parallel: 2,
    },
  },
};

function readSpec(value: unknown) {
  const read = readCompletionSpec(value);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return read.spec;
}

describe("reading a completion spec", () => {
  it("takes a limit of a role without a criterion, and writes it again (S2-09)", () => {
    const document = { outcome: "x", acceptance_criteria: ["y"], tester: { max_iterations: 4 } };
    const read = readCompletionSpec(document);
    expect(read).toEqual({
      spec: { outcome: "x", acceptanceCriteria: ["y"], criteria: {}, limits: { tester: 4 } },
    });
    expect("spec" in read && writeCompletionSpec(read.spec)).toEqual(document);
    expect(readCompletionSpec({ ...document, tester: { max_iterations: 0 } })).toEqual({
      problems: [{ path: "tester.max_iterations", message: "must be a whole number from 1 to 10000, not 0" }],
    });
  });

  it("reads the document's keys, ignores absent roles and fills in defaults (S2-01, S2-02, S2-03)", () => {
    const spec = readSpec(jwtTask);
    expect(spec.outcome).toBe(jwtTask.outcome);
    expect(Object.keys(spec.criteria)).toEqual(["coder", "reviewer", "qa"]);
    expect(spec.criteria.coder).toMatchObject({ promise: "AUTH_IMPLEMENTED", maxIterations: 20 });
    expect(spec.criteria.coder?.verification).toMatchObject({ timeoutMs: 120_000, workingDir: "backend" });
    expect(spec.criteria.reviewer).toMatchObject({
      maxIterations: null,
      verification: {
        checkFor: ["{{acceptance_criteria}}"],
        negativePatterns: [
          { pattern: "FIX THIS", isRegex: false, scope: "output" },
          { pattern: "/hard-?coded/i", isRegex: true, scope: "output" },
          { pattern: "console.log", isRegex: false, scope: "diff" },
        ],
      },
    });
  });

  it("fills in a stage's name, method and need, and a command's limits (S2-27, S2-35)", () => {
    const verification = readSpec(jwtTask).criteria.qa?.verification;
    expect(verification).toMatchObject({ requireAll: false, parallelMax: 2 });
    expect(verification?.method === "multi_stage" ? verification.stages : []).toMatchObject([
      {
        name: "unit",
        isRequired: true,
        isAlways: false,
        verification: { successExitCode: 0, timeoutMs: 300_000, workingDir: "." },
      },
      { name: "style", isRequired: false, isAlways: true },
      { name: "own", verification: { module: null, command: ["./judge", "--strict"], config: { level: 2 } } },
      { name: "unnamed", verification: { method: "string_match", promise: "QA_PASSED", isLoose: true } },
    ]);
  });

  it("gives the same spec again after writing and reading, without absent roles (S2-02, S2-03)", () => {
    const spec = readSpec(jwtTask);
    const written = writeCompletionSpec(spec);
    expect(Object.keys(written)).toEqual(["outcome", "acceptance_criteria", "coder", "reviewer", "qa"]);
    expect(readCompletionSpec(JSON.parse(JSON.stringify(written)))).toEqual({ spec });
    const coder = spec.criteria.coder;
    expect(coder && readCriterion(writeCriterion(coder))).toEqual({ criterion: coder });
  });

  it("finds the criterion of a role, and none for a role without one or a word that is no role (S2-04)", () => {
    const spec = readSpec(jwtTask);
    expect(criterionOf(spec, "coder")?.promise).toBe("AUTH_IMPLEMENTED");
    expect(criterionOf(spec, "tester")).toBeNull();
    expect(criterionOf(spec, "architect")).toBeNull();
    expect(criterionOf(spec, "constructor")).toBeNull();
  });
});

const external = { promise: "X", verification_method: "external" };

function nested(depth: number): unknown {
  const inner = depth === 1 ? { method: "string_match" } : { method: "multi_stage", config: nested(depth - 1) };
  return { stages: [inner] };
}

describe("a completion spec with faults", () => {
  const check = (coder: unknown, path: string, message: RegExp): void => {
    const read = readCompletionSpec({ outcome: "o", acceptance_criteria: ["a"], coder });
    const problems = "problems" in read ? read.problems : [];
    expect(problems.map((problem) => `${problem.path}: ${problem.message}`)).toEqual([expect.stringMatching(message)]);
    expect(problems[0]?.path).toBe(path === "" ? "coder" : `coder.${path}`);
  };

  it.each([
    ["a criterion that is no object", "yes", "", /must be an object, not "yes"/],
    ["no promise", { verification_method: "string_match" }, "promise", /is required/],
    ["a promise that means blocked", { promise: "BLOCKED: x" }, "promise", /BLOCKED/],
    ["a promise with a bracket", { promise: "<done>" }, "promise", /inside a tag/],
    [
      "an unknown method",
      { promise: "X", verification_method: "magic" },
      "verification_method",
      /unknown verification method "magic"; known are/,
    ],
    [
      "a misspelt method",
      { promise: "X", verification_method: "externl" },
      "verification_method",
      /did you mean "external"/,
    ],
    ["no iterations", { promise: "X", max_iterations: 0 }, "max_iterations", /from 1 to 10000, not 0/],
    ["an unknown key", { promise: "X", max_iteration: 3 }, "max_iteration", /did you mean "max_iterations"/],
    ["external without a command", external, "verification_config.command", /is required/],
    [
      "an unknown configuration key",
      { ...external, verification_config: { command: "x", time_out: 3 } },
      "verification_config.time_out",
      /did you mean "timeout"/,
    ],
    [
      "a timeout without a unit",
      { ...external, verification_config: { command: "x", timeout: "soon" } },
      "verification_config.timeout",
      /not "soon"/,
    ],
    [
      "a folder outside",
      { ...external, verification_config: { command: "x", working_dir: "a/../../b" } },
      "verification_config.working_dir",
      /leaves the work tree/,
    ],
    [
      "an absolute folder",
      { ...external, verification_config: { command: "x", working_dir: "/etc" } },
      "verification_config.working_dir",
      /leaves the work tree/,
    ],
    [
      "multi_stage without stages",
      { promise: "X", verification_method: "multi_stage" },
      "verification_config.stages",
      /at least one stage/,
    ],
    [
      "only optional stages",
      { promise: "X", verification_method: "multi_stage", verification_config: { stages: [{ required: false }] } },
      "verification_config.stages",
      /at least one required stage/,
    ],
    [
      "a bad stage",
      { promise: "X", verification_method: "multi_stage", verification_config: { stages: [{ method: "nope" }] } },
      "verification_config.stages[0].method",
      /unknown verification method "nope"/,
    ],
    [
      "a broken expression",
      { promise: "X", verification_method: "semantic", verification_config: { negative_patterns: ["/(/"] } },
      "verification_config.negative_patterns[0]",
      /not a regular expression/,
    ],
    [
      "an unknown scope",
      {
        promise: "X",
        verification_method: "semantic",
        verification_config: { negative_patterns: [{ pattern: "x", scope: "mind" }] },
      },
      "verification_config.negative_patterns[0]",
      /unknown scope "mind"/,
    ],
    [
      "custom with neither",
      { promise: "X", verification_method: "custom" },
      "verification_config.module",
      /either a module or a command/,
    ],
  ] as const)("is refused with %s (S2-02, S2-50)", (_, coder, path, message) => check(coder, path, message));

  it("nests stages three deep and no deeper (CW-2G)", () => {
    const read = (depth: number) =>
      readCriterion({ promise: "X", verification_method: "multi_stage", verification_config: nested(depth) });
    expect(read(3)).toHaveProperty("criterion");
    expect(read(4)).toMatchObject({ problems: [{ message: expect.stringMatching(/nested 3 deep/) }] });
  });

  it("needs an outcome and an acceptance criterion, and tells every fault at once (S2-50)", () => {
    expect(readCompletionSpec({ outcome: " ", acceptance_criteria: [], coder: {} })).toEqual({
      problems: [
        { path: "outcome", message: "must not be empty" },
        { path: "acceptance_criteria", message: "needs at least one criterion" },
        { path: "coder.promise", message: "is required" },
      ],
    });
    expect(readCompletionSpec({ acceptance_criteria: "x" })).toMatchObject({
      problems: [{ path: "outcome" }, { path: "acceptance_criteria" }],
    });
    expect(readCompletionSpec(null)).toEqual({ problems: [{ path: "", message: "must be an object, not null" }] });
  });
});
