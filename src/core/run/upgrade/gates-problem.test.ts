import { describe, expect, it } from "vitest";
import { childrenGates } from "../../contract/children.ts";
import { type ContractGate, type ContractSources, policyGates } from "../../contract/contract.ts";
import type { Gate } from "../../contract/gate.ts";
import { guardrailGates } from "../../contract/guardrail.ts";
import { sessionBegin, sessionGates } from "../../contract/session-checks.ts";
import { taskListGates } from "../../contract/task-list.ts";
import { runPolicy } from "../../settings/run/run-policy.ts";
import { settingsSchema } from "../../settings/settings.ts";
import type { Policy } from "../policy.ts";
import type { RunKind } from "../../contract/run-kind.ts";
import { newRun } from "../state.ts";
import { frozenProblem, gatesProblem } from "./gates-problem.ts";

const settings = settingsSchema.parse({
  guardrails: ["a", "b"].map((command) => ({ command, failAction: "APPEND" })),
});
const sources = {
  settings,
  settingsFiles: {},
  verifyCommandsFrom: null,
  role: null,
  projectCriteria: [],
  hasBaseline: false,
};
const contracted = (surface: RunKind, given: Partial<ContractSources> = {}): ContractGate[] => {
  const all = { ...sources, surface, ...given };
  return [...guardrailGates(all), ...taskListGates(all), ...childrenGates(all)];
};

function policyOf(kind: RunKind, gates: readonly Gate[], revision = 1): Policy {
  const claimBy = kind === "prd" ? "gate" : "tag";
  return { ...runPolicy(settings), kind, claimBy, gates: [...gates], contract: { revision, hash: "h" } };
}

const list = { copy: { text: "" }, assignment: null, dirty: { text: "" } };

describe("a state's gates", () => {
  const check = (policy: Policy, slots: Record<string, { count: number } | typeof list>, problem: string | null) =>
    expect(gatesProblem(newRun(policy, { slots: { ...slots }, assignment: null, isWorkLeft: true }))).toBe(problem);

  it("are whole with the memory by which they ask for enough", () => {
    check(policyOf("session", sessionGates(2)), { "session-checks": { count: 2 } }, null);
    check(policyOf("session", sessionGates(2)), {}, "slots.session-checks is missing");
    check(policyOf("prd", policyGates(contracted("prd"))), {}, "slots.task-list is missing");
  });

  it("are not whole when only the memory of one is left", () =>
    check(
      policyOf("session", []),
      { "session-checks": { count: 1 } },
      "policy.gates does not name session-checks, whose memory is there",
    ));

  it("are those without which such a run would end by the agent's word", () => {
    check(policyOf("prd", []), {}, "policy.gates names no gate of kind task-list, which a run of kind prd has");
    check(
      policyOf("supervise", []),
      {},
      "policy.gates names no gate of kind children, which a run of kind supervise has",
    );
  });

  it("have one id each", () => {
    const gates = policyGates(contracted("run"));
    check(policyOf("run", [...gates, ...gates.slice(1)]), {}, "policy.gates names guardrail-2 twice");
  });

  it("of a session are kept with their count when it begins", () =>
    check(policyOf("session", sessionGates(3)), { "session-checks": { count: 3 } }, null));

  it("need no memory where there is none", () => expect(sessionBegin(0).slots).toEqual({}));
});

describe("the gates of a frozen run", () => {
  const gates = contracted("prd");
  const atStart = policyOf("prd", policyGates(gates));
  const frozen = {
    policy: atStart,
    contract: { revision: 1, hash: "h", gates },
    settings,
    projectDir: "/p",
    prompt: { kind: "text", text: "x" },
    prd: { settingsGuardrails: 1 },
  };
  const check = (given: object, policy: Policy, problem: string | null) =>
    expect(frozenProblem({ ...frozen, ...given }, policy)).toBe(problem);
  const [first, second, tasks] = atStart.gates;
  const gateList = (...some: (Gate | undefined)[]) => some.filter((gate) => gate !== undefined);

  it("are the same as those of the state, in the same order", () => {
    check({}, atStart, null);
    const other = (found: Gate[]) => ({ ...atStart, gates: found });
    check({}, other(gateList(first, tasks)), "gate guardrail-2 differs between the frozen run and its state");
    check({}, other(gateList(second, first, tasks)), "gate guardrail-1 differs between the frozen run and its state");
    check({}, other(gateList(first, second)), "gate task-list differs between the frozen run and its state");
    const renamed = other(atStart.gates.map((gate) => (gate === first ? { ...gate, name: "true" } : gate)));
    check({}, renamed, "gate guardrail-1 differs between the frozen run and its state");
    const late = other(atStart.gates.map((gate) => (gate === first ? { ...gate, when: "on-claim" } : gate)));
    check({}, late, "gate guardrail-1 differs between the frozen run and its state");
    check({}, { ...atStart, claimBy: "tag" }, "claimBy differs between the frozen run and its state");
  });

  it("may differ after a revision in the verify commands of the list, and in nothing else", () => {
    const revised = (found: Gate[]) => policyOf("prd", found, 2);
    check({}, revised(gateList(first, tasks)), null);
    check({}, revised(gateList(tasks)), "gate guardrail-1 differs between the frozen run and its state");
    check({}, revised(gateList(first, second)), "gate task-list differs between the frozen run and its state");
    check(
      { prd: {} },
      revised(gateList(first, tasks)),
      "gate guardrail-2 differs between the frozen run and its state",
    );
  });

  it("are in its contract with what they run", () => {
    check({ contract: undefined }, atStart, "the frozen run: contract is missing");
    const fewer = { ...frozen.contract, gates: gates.slice(1) };
    check({ contract: fewer }, atStart, "the frozen run: gate guardrail-2 differs between its contract and its policy");
    check(
      { contract: { ...frozen.contract, hash: "x" } },
      atStart,
      "the frozen run: contract.hash is not that of its policy",
    );
    const spec = { ...frozen.contract, gates: gates.map((gate) => ({ ...gate, kind: "criterion", spec: {} })) };
    check({ contract: spec }, atStart, "the frozen run: contract.gates[0].spec.criterion is not an object");
  });

  it("need what else the run was started with", () => {
    check({ settings: {} }, atStart, "the frozen run names no guardrails");
    check({ projectDir: 7 }, atStart, "the frozen run names no project directory");
    check({ prompt: null }, atStart, "the frozen run has no prompt");
  });
});
