import { describe, expect, it } from "vitest";
import { settingsSchema } from "../settings/settings.ts";
import type { Verification } from "../tasks/criteria/completion-spec.ts";
import type { RoleCriterion } from "../tasks/criteria/role-criterion.ts";
import { childrenGates } from "./children.ts";
import { hasChecks } from "./contract-lines.ts";
import { canonicalContract, type ContractSources, policyGates } from "./contract.ts";
import { criterionGates } from "./criterion.ts";
import { guardrailGates } from "./guardrail.ts";
import { taskListGates } from "./task-list.ts";

const settings = settingsSchema.parse({
  guardrails: [
    { command: "make test", failAction: "APPEND" },
    { command: "make lint", failAction: "APPEND" },
  ],
  guardrailTimeout: "5m",
  children: { wait: "10s" },
});

const sources: ContractSources = {
  surface: "run",
  settings,
  settingsFiles: { "/p/.ralph/settings.json": { guardrails: [] }, "/p/.ralph/settings.local.json": {} },
  verifyCommandsFrom: null,
  role: null,
  projectCriteria: [],
  hasBaseline: false,
};

function criterion(verification: Verification, description = "It works"): RoleCriterion {
  const own = { promise: "DONE", description, maxIterations: null, verification };
  return { role: "coder", criterion: own, outcome: "o", acceptanceCriteria: [] };
}

const matched: Verification = { method: "string_match", promise: null, isLoose: false };
const command: Verification = {
  method: "external",
  command: "make",
  successExitCode: 0,
  outputContains: null,
  outputNotContains: null,
  timeoutMs: 1000,
  workingDir: ".",
};

describe("guardrails", () => {
  it("are asked after every turn, each with its origin and limit (S1-43)", () =>
    expect(guardrailGates(sources)).toMatchObject([
      {
        id: "guardrail-1",
        name: "make test",
        when: "every-turn",
        origin: ".ralph/settings.json guardrails[0]",
        limits: { wallMs: 300_000 },
      },
      { id: "guardrail-2", origin: ".ralph/settings.json guardrails[1]" },
    ]));

  it("are asked before the first turn too, where a baseline is wanted", () =>
    expect(guardrailGates({ ...sources, hasBaseline: true }).map(({ id, when }) => `${id} ${when}`)).toEqual([
      "baseline-guardrail-1 before-first-turn",
      "baseline-guardrail-2 before-first-turn",
      "guardrail-1 every-turn",
      "guardrail-2 every-turn",
    ]));

  it("name the task list as the origin of its commands, and no file where none holds them", () => {
    const [own, listed] = guardrailGates({ ...sources, settingsFiles: {}, verifyCommandsFrom: 1 });
    expect([own?.origin, listed?.origin]).toEqual(["settings guardrails[0]", "task list verifyCommands[0]"]);
  });
});

describe("the criterion of a role", () => {
  it("is asked on a claim, before delivery (S2-61)", () =>
    expect(criterionGates({ ...sources, role: criterion(command) })).toMatchObject([
      { id: "criterion", name: "It works", when: "on-claim", isBeforeDelivery: true, tells: "reason" },
    ]));

  it("has its commands alone looked at before the first turn (S2-35)", () => {
    const stages = [matched, command].map((verification, index) => ({
      name: `${index}`,
      isRequired: true,
      isAlways: false,
      verification,
    }));
    const both: Verification = { method: "multi_stage", stages, requireAll: true, parallelMax: 1 };
    const gates = (verification: Verification): string[] =>
      criterionGates({ ...sources, hasBaseline: true, role: criterion(verification, "") }).map(({ name }) => name);
    expect(gates(matched)).toEqual(["DONE"]);
    expect(gates(command)).toEqual(["DONE", "DONE"]);
    expect(gates(both)).toEqual(["DONE (commands only)", "DONE"]);
  });
});

it("a task list always runs, children come after delivery, each on its own surface only", () => {
  const gates = (surface: ContractSources["surface"]): string[] =>
    [...taskListGates({ ...sources, surface }), ...childrenGates({ ...sources, surface })].map(
      ({ id, isAlways, isBeforeDelivery, limits }) => `${id} ${isAlways} ${isBeforeDelivery} ${limits.wallMs}`,
    );
  expect(gates("run")).toEqual([]);
  expect(gates("prd")).toEqual(["task-list true true null"]);
  expect(gates("supervise")).toEqual(["children false false 10000"]);
});

describe("the text a contract is hashed by", () => {
  it("does not depend on the order of keys, nor on where a gate comes from", () => {
    const gates = guardrailGates(sources);
    expect(canonicalContract(gates)).toBe(canonicalContract(guardrailGates({ ...sources, settingsFiles: {} })));
    expect(canonicalContract(gates)).not.toBe(canonicalContract(gates.slice(1)));
  });
});

it("the engine gets the gates without what only their performers need", () =>
  expect(policyGates(guardrailGates(sources)).every((gate) => !("spec" in gate))).toBe(true));

describe("the criteria of the project", () => {
  const project: RoleCriterion[] = [criterion(command), { ...criterion(command), role: "tester" }];

  it("count everywhere, all of them, and the surface's claim stands for their promise", () =>
    expect(criterionGates({ ...sources, projectCriteria: project })).toMatchObject([
      { id: "project-coder", origin: "ralph/criteria.yaml coder", when: "on-claim", spec: { isClaimEnough: true } },
      { id: "project-tester" },
    ]));

  it("are no check where the claim alone meets them (R-16)", () => {
    const isChecked = (verification: Verification): boolean =>
      hasChecks(policyGates(criterionGates({ ...sources, projectCriteria: [criterion(verification)] })));
    expect([matched, command].map(isChecked)).toEqual([false, true]);
  });

  it("hold a role to the one of its own name, beside its own", () =>
    expect(
      criterionGates({ ...sources, role: criterion(matched), projectCriteria: project }).map(({ id }) => id),
    ).toEqual(["criterion", "project-coder"]));
});
