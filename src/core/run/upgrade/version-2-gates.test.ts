import { describe, expect, it } from "vitest";
import {
  checks2,
  criterion2,
  role2,
  session2,
  tasks2,
  upgraded,
  version2,
  type Version2Parts,
} from "../../../../tests/replay/version-2-run.ts";
import type { UpgradedRun } from "./upgrade-run.ts";

const of = (parts: Version2Parts): UpgradedRun => upgraded(version2(parts));

function ids({ state }: UpgradedRun): string[] {
  return state.policy.gates.map(({ id }) => id);
}

describe("the gates of a run of version 2", () => {
  it("are its guardrails by their commands, with their limit and where they come from", () => {
    const { state, frozen } = of({ commands: ["a", "b"], policy: { guardrailWallMs: 7 } });
    expect(state.policy.gates).toMatchObject([
      { id: "guardrail-1", name: "a", when: "every-turn", limits: { wallMs: 7 }, origin: "version 2" },
      { id: "guardrail-2", name: "b", when: "every-turn", limits: { wallMs: 7 }, origin: "version 2" },
    ]);
    expect(state.policy).toMatchObject({ claimBy: "tag", contract: { revision: 1 } });
    expect(frozen).toMatchObject({ contract: { ...state.policy.contract, gates: state.policy.gates } });
    expect(state.policy.contract.hash).toMatch(/^hash of \d+$/);
    expect(state.policy).not.toHaveProperty("guardrailCount");
  });

  it("are looked at before the first turn where they were then", () =>
    expect(ids(of({ policy: { hasBaseline: true } }))).toEqual(["baseline-guardrail-1", "guardrail-1"]));

  it("are a role's criterion, with what it is verified by in the contract", () => {
    const run = of(role2);
    expect(ids(run)).toEqual(["baseline-guardrail-1", "guardrail-1", "baseline-criterion", "criterion"]);
    expect(run.frozen).toMatchObject({ contract: { gates: [{}, {}, {}, { spec: { criterion: criterion2 } }] } });
  });

  it("are the task list, which claims, and the children of a supervised task, which DONE claims", () => {
    const list = of({ kind: "prd", state: { isListOpen: true } });
    expect(ids(list)).toEqual(["guardrail-1", "task-list"]);
    const { head: _, ...memory } = tasks2;
    expect(list.state).toMatchObject({
      policy: { claimBy: "gate" },
      assignment: tasks2.assignment,
      isWorkLeft: true,
      dueGates: ["task-list"],
    });
    expect(list.state.slots).toEqual({ "task-list": memory });
    const supervised = of({ kind: "supervise", policy: { childrenWallMs: 5 } });
    expect(supervised.state.policy).toMatchObject({
      claimBy: "done-file",
      gates: [{ id: "children", limits: { wallMs: 5 } }],
    });
  });

  it("are one for all checks of a session, as many verdicts as were frozen", () => {
    const { state } = upgraded({ state: session2(2), frozen: null });
    expect(state.policy.gates).toMatchObject([
      { id: "session-checks", limits: { wallMs: 300_000 }, origin: "version 2" },
    ]);
    expect(state.slots).toEqual({ "session-checks": { count: 2 } });
    expect(upgraded({ state: session2(0), frozen: null }).state.policy.gates).toEqual([]);
  });

  it.each<[string, Version2Parts]>([
    ["policy.guardrailCount is 2, the frozen run names 1", { policy: { guardrailCount: 2 } }],
    ["policy.guardrailCount is 0, the frozen run names 1", { policy: { guardrailCount: 0 } }],
    ["policy.criterionCount is 1, the frozen run names 0", { policy: { criterionCount: 1 } }],
    ["policy.criterionCount is 0, the frozen run names 1", { ...role2, policy: {} }],
    ["the frozen run: criterion.role is none of", { ...role2, frozen: { criterion: { ...criterion2, role: "x" } } }],
    ["policy.hasTasks does not fit a run of kind run", { policy: { hasTasks: true } }],
    ["policy.hasChildren does not fit a run of kind supervise", { kind: "supervise", policy: { hasChildren: false } }],
    ["tasks does not fit policy.hasTasks", { kind: "prd", state: { tasks: null } }],
    ["pending is about criteria, and the run has none", { state: { pending: checks2("criteria") } }],
    ["facts.criteria is not a list", { facts: { criteria: "odd" } }],
  ])("are refused when they cannot be told: %s", (problem, parts) => expect(() => of(parts)).toThrow(problem));
});
