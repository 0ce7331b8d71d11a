import { describe, expect, it } from "vitest";
import {
  checks2,
  role2,
  session2,
  tasks2,
  upgraded,
  version2,
  type Version2Parts,
} from "../../../../tests/replay/version-2-run.ts";
import type { UpgradedRun } from "./upgrade-run.ts";

const of = (parts: Version2Parts): UpgradedRun => upgraded(version2(parts));

const verdict = {
  index: 0,
  name: "true",
  isPassed: true,
  exitCode: 0,
  isTimedOut: false,
  durationMs: 1,
  reason: "passed",
  output: { text: "" },
  logFile: null,
};

describe("the order in flight of a run of version 2", () => {
  it("begins again with the first of several checks, and shows nothing of them", () => {
    const facts = { guardrails: [verdict, verdict] };
    const { state } = of({ commands: ["a", "b"], state: { pending: checks2("guardrails") }, facts });
    expect(state.pending).toMatchObject({
      type: "run-gate",
      id: 4,
      iteration: 2,
      gate: { id: "guardrail-1" },
      wallMs: 9,
    });
    expect(state.facts.verdicts).toEqual({});
  });

  it("becomes the turn itself where a look before it had nothing to look at", () =>
    expect(
      of({ commands: [], policy: { hasBaseline: true }, state: { pending: checks2("baseline") } }).state.pending,
    ).toBeNull());

  it("is the criterion after a delivery that was tried, whether or not it committed", () => {
    const { state } = of({ ...role2, state: { pending: checks2("criteria") }, facts: { guardrails: [verdict] } });
    expect(state.pending).toMatchObject({ gate: { id: "criterion" }, hasClaim: true, isGreenSoFar: true });
    expect(state.facts).toMatchObject({ verdicts: { "guardrail-1": [verdict] }, isDelivered: true });
    const session = session2(2, { state: { pending: checks2("criteria") } });
    const { state: loop } = upgraded({ state: session, frozen: null });
    expect(loop.pending).toMatchObject({ gate: { id: "session-checks" }, slot: { count: 2 } });
  });

  it("puts the task list in order, also before what the turn was left for", () => {
    const repair = { type: "repair-tasks", id: 6, iteration: 2, tasks: tasks2, isApprovalAllowed: true };
    const afterRepair = { pending: checks2("guardrails"), isHeld: true };
    const state = { pending: repair, afterRepair, isListOpen: true };
    const run = of({ kind: "prd", state, facts: { guardrails: [verdict] } });
    expect(run.state).toMatchObject({
      pending: { gate: { id: "task-list" }, isGreenSoFar: true, slot: { copy: tasks2.copy } },
      afterGates: { pending: { gate: { id: "guardrail-1" } }, isHeld: true },
      facts: { verdicts: {} },
    });
  });

  it("keeps a delivery, which is still to be tried, and the gates that were green before it", () => {
    const deliver = { type: "deliver", id: 4, iteration: 2, of: "iteration" };
    const tasks = { isComplete: true, violations: ["x"], remark: "y" };
    const facts = { guardrails: [verdict], tasks };
    const { state } = of({ kind: "prd", state: { pending: deliver }, facts });
    expect(state.pending).toEqual({ ...deliver, candidate: null });
    expect(state.facts).toMatchObject({
      verdicts: { "guardrail-1": [verdict], "task-list": [{ isPassed: true }] },
      words: { "task-list": { isClaim: true, notes: ["x"], remark: "y" } },
      isDelivered: false,
    });
  });
});

describe("what an iteration of version 2 has shown", () => {
  it("counts only when it is whole: of two guardrails, one verdict is none", () =>
    expect(of({ commands: ["a", "b"], facts: { guardrails: [verdict] } }).state.facts.verdicts).toEqual({}));

  it("is not green for a list that could not be put in order", () => {
    const facts = { tasks: { isComplete: true, violations: [], remark: null } };
    expect(of({ kind: "prd", state: { isListOpen: true }, facts }).state.facts).toMatchObject({
      verdicts: {},
      words: {},
    });
  });
});
