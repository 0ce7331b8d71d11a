import { describe, expect, it } from "vitest";
import type { CompletionSpec } from "../tasks/criteria/completion-spec.ts";
import { type Role, roles } from "../tasks/criteria/role.ts";
import type { FrozenRun } from "../settings/run/frozen-run.ts";
import { parseSettings } from "../settings/parse-settings.ts";
import { roleRun } from "./role-run.ts";
import { runPolicy } from "../settings/run/run-policy.ts";

const completion: CompletionSpec = { outcome: "It works.", acceptanceCriteria: ["It is fast"], criteria: {} };

function run(
  role: Role,
  value: unknown = {},
  spec: CompletionSpec | null = completion,
  more: Partial<FrozenRun> = {},
): FrozenRun {
  const settings = parseSettings([{ source: "test", value }]);
  const work = {
    version: "1",
    projectDir: "/project",
    prompt: { kind: "text" as const, text: "" },
    settings,
    settingsFiles: {},
    policy: runPolicy(settings),
    startCommit: null,
    ...more,
  };
  const task = {
    id: "a",
    spec: "",
    title: "Title",
    description: "",
    priority: 1,
    dependencies: [],
    assignee: null,
    metadata: {},
    completion: spec,
    version: 7,
    iteration: 0,
  };
  const progress = { role, round: 2, reasons: [], runId: null, note: "" };
  const rest = { budgetUsd: 1, budgetTokens: null, budgetMs: 1000 };
  return roleRun({ work, task, progress, place: { projectDir: "/tree", startCommit: "abc" }, rest });
}

describe("a role's run", () => {
  it("has the promises and limits of the document where nobody says otherwise (S2-42, S2-43, S2-08)", () =>
    expect(roles.map((role) => [run(role).policy.completionText, run(role).policy.iterationsMax])).toEqual([
      ["IMPLEMENTATION_COMPLETE", 15],
      ["REVIEW_PASSED", 5],
      ["TESTS_PASSED", 10],
      ["QA_PASSED", 5],
    ]));

  it("takes its limit from the criterion, else the role's setting, else the general one, else ten (CW-2K, S2-09, S2-46, S2-63)", () => {
    const criterion = {
      promise: "X",
      description: "",
      maxIterations: 3,
      verification: { method: "string_match" as const, promise: null, isLoose: false },
    };
    const own = { ...completion, criteria: { coder: criterion } };
    const limit = (value: unknown, spec = completion): number | null => run("coder", value, spec).policy.iterationsMax;
    const perRole = { work: { maxIterations: { coder: 4 } }, maximumIterations: 6 };
    expect(limit(perRole, own)).toBe(3);
    expect(limit(perRole)).toBe(4);
    expect(limit({ work: { maxIterations: { coder: null } }, default_max_iterations: 6 })).toBe(6);
    const unbounded = {
      work: { maxIterations: { coder: null } },
      maximumIterations: "unbounded",
      budget: { time: "1h" },
    };
    expect(limit(unbounded)).toBe(10);
  });

  it.each(roles)("gives the %s a default criterion that can succeed (CW-2F, R-68, S2-44)", (role) => {
    const method = (value: unknown, spec: CompletionSpec | null): string =>
      run(role, value, spec).criterion?.criterion.verification.method ?? "";
    const table = { coder: "external", reviewer: "semantic", tester: "external", qa: "multi_stage" };
    expect(method({ verify_command: "npm test" }, completion)).toBe(table[role]);
    expect(method({}, completion)).toBe("semantic");
    expect(method({}, null)).toBe("string_match");
  });

  it("freezes the task, its version and round, and the criterion (S2-07, S2-45)", () => {
    const frozen = run("coder");
    expect(frozen.task).toMatchObject({ id: "a", version: 7, round: 2, projectDir: "/project" });
    expect(frozen.criterion).toMatchObject({ role: "coder", outcome: "It works.", acceptanceCriteria: ["It is fast"] });
    expect(frozen.criterion?.criterion.description).toBe("Complete coder stage for: Title");
    expect(frozen.projectDir).toBe("/tree");
    expect(frozen.policy).toMatchObject({ kind: "work", budgetUsd: 1, budgetMs: 1000 });
  });

  it("lets later roles reject, and stops those that must change something when they do not", () => {
    const facts = roles.map((role) => [run(role).policy.canReject, run(role).policy.unchangedMax]);
    expect(facts).toEqual([
      [false, 3],
      [true, null],
      [true, 3],
      [true, null],
    ]);
    const off = { breaker: { noProgress: null } };
    expect(roles.map((role) => run(role, off).policy.unchangedMax)).toEqual([null, null, null, null]);
  });

  it("runs a task without a spec once a role when it shall, on its word alone (S2-18, CW-2E)", () => {
    const single = run("coder", { missingSpec: "single-pass", verifyCommand: "npm test" }, null);
    expect(single.policy.iterationsMax).toBe(1);
    expect(single.criterion?.criterion.verification.method).toBe("string_match");
    expect(single.criterion?.outcome).toBe("Complete the assigned task.");
    expect(run("coder", {}, null).policy.iterationsMax).toBe(15);
  });

  it("has its own agent, and the general one's flags only with the general program", () => {
    const agent = { command: "claude", flags: ["--x"], model: "big" };
    const value = { agent, work: { agents: { reviewer: { command: "codex" }, qa: { model: "small" } } } };
    expect(run("coder", value).settings.agent).toMatchObject(agent);
    expect(run("reviewer", value).settings.agent).toMatchObject({ command: "codex", flags: [], model: null });
    expect(run("coder", { agent: { command: "../tools/agent" } }).settings.agent.command).toBe(
      "/project/../tools/agent",
    );
    expect(run("coder", { agent: { command: "/usr/bin/agent" } }).settings.agent.command).toBe("/usr/bin/agent");
    expect(run("qa", value).settings.agent).toMatchObject({ command: "claude", flags: ["--x"], model: "small" });
  });
});

it.each([
  ["coder", ["coder", "qa"], false],
  ["qa", ["qa", "coder"], true],
  ["coder", ["coder"], true],
] as const)("asks held-out checks of the last role: %s of %j", (role, asked, isAsked) => {
  const settings = parseSettings([]);
  const plan = { tasks: [], roles: [...asked], rounds: 1, jobs: 1, worktrees: null };
  const check = { name: "edges", command: "true", files: [], hint: null, tasks: [], sources: [] };
  const { heldOut } = run(role, {}, completion, { settings, work: plan, heldOut: [check] });
  expect(heldOut).toEqual(isAsked ? [check] : undefined);
});
