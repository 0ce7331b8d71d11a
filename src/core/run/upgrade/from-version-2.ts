import { canonicalContract, type Contract, policyGates } from "../../contract/contract.ts";
import { sessionBegin } from "../../contract/session-checks.ts";
import { taskListGateId } from "../../contract/task-list.ts";
import { hasShape } from "../../shape/shape.ts";
import {
  changed,
  type Fields,
  type StoredRun,
  type UpgradeContext,
  type UpgradeStep,
  without,
} from "./upgrade-step.ts";
import { entryOfVersion2, feedbackOfVersion2, listMemory, noRefusal } from "./version-2-entries.ts";
import { factsOfVersion2, type Kept2, orderOfVersion2 } from "./version-2-facts.ts";
import { commandsOf, gatesOfVersion2 } from "./version-2-gates.ts";
import { type Policy2, policy2Shape, type State2, state2Shape } from "./version-2.ts";

/**
 * Version 2 knew each check by name; version 3 has gates as data. Which gates a run has is told by what it was started
 * with. What the iteration in progress has shown is kept as far as the order in flight comes after it.
 */
export const fromVersion2: UpgradeStep = {
  run({ state, frozen }: StoredRun, context: UpgradeContext): StoredRun | string {
    if (!hasShape(state2Shape, state)) return state2Shape.problem(state, "") ?? "its state is incomplete";
    const contract = contractOf(state.policy, frozen, context);
    if (typeof contract === "string") return contract;
    const started = frozen === null ? null : startedWith(frozen, context);
    if (typeof started === "string") return started;
    const lifted = liftState(state, { contract, commands: commandsOf(frozen) ?? [] });
    return typeof lifted === "string" ? lifted : { state: lifted, frozen: started };
  },
  entry: entryOfVersion2,
};

/** Settings that came with version 3, with the values by which such a run behaves as it did; secrets are hidden. */
function liftSettings(settings: Fields): Fields {
  const { completion, scm, verification } = settings;
  return {
    redact: { enabled: true, variables: [] },
    ...settings,
    completion: changed(completion, (fields) => ({ requireChecks: false, ...fields })),
    scm: changed(scm, (fields) => ({ hooks: true, ...fields })),
    verification: changed(verification, (fields) => ({
      ...fields,
      // A judge without a usable answer was asked once more.
      judge: changed(fields["judge"], (judge) => ({ tries: 2, ...judge })),
    })),
  };
}

function contractOf(policy: Policy2, frozen: Fields | null, { from, sha256 }: UpgradeContext): Contract | string {
  const gates = gatesOfVersion2(policy, frozen, `version ${from}`);
  if (typeof gates === "string") return gates;
  // The contract of a loop in a session has no hash, then as now.
  return { revision: 1, hash: frozen === null ? "" : sha256(canonicalContract(gates)), gates };
}

function startedWith(frozen: Fields, context: UpgradeContext): Fields | string {
  const { policy } = frozen;
  if (!hasShape(policy2Shape, policy)) return `the frozen run: ${policy2Shape.problem(policy, "policy") ?? ""}`;
  const contract = contractOf(policy, frozen, context);
  if (typeof contract === "string") return `the frozen run: ${contract}`;
  return {
    ...frozen,
    settings: changed(frozen["settings"], liftSettings),
    policy: liftPolicy(policy, contract),
    contract,
  };
}

const policyFields: readonly (keyof Policy2)[] = [
  "guardrailCount",
  "criterionCount",
  "hasTasks",
  "hasBaseline",
  "hasChildren",
  "guardrailWallMs",
  "criterionWallMs",
  "childrenWallMs",
  "hasMarkers",
];

function liftPolicy(policy: Policy2, { revision, hash, gates }: Contract): Fields {
  return {
    ...without(policy, policyFields),
    claimBy: claimOf(policy),
    gates: policyGates(gates),
    contract: { revision, hash },
  };
}

function claimOf({ hasMarkers, hasTasks }: Policy2): "marker" | "gate" | "tag" {
  if (hasMarkers) return "marker";
  return hasTasks ? "gate" : "tag";
}

function liftState(state: State2, { contract, commands }: { contract: Contract; commands: string[] }): Fields | string {
  const { policy, tasks, afterRepair } = state;
  if (policy.hasTasks !== (tasks !== null)) return "tasks does not fit policy.hasTasks";
  const kept: Kept2 = { gates: policyGates(contract.gates), slots: slotsOf(state), commands };
  const pending = orderOfVersion2(state.pending, kept);
  if (typeof pending === "string") return pending;
  const after = afterRepair === null ? null : orderOfVersion2(afterRepair.pending, kept);
  if (typeof after === "string") return after;
  return {
    ...without(state, ["tasks", "isListOpen", "afterRepair"]),
    version: 3,
    policy: liftPolicy(policy, contract),
    pending,
    facts: factsOfVersion2(state, kept.gates),
    feedback: state.feedback.map((each) => feedbackOfVersion2(each, commands)),
    ...noRefusal,
    slots: kept.slots,
    assignment: tasks?.assignment ?? null,
    isWorkLeft: tasks === null || tasks.assignment !== null,
    dueGates: state.isListOpen ? [taskListGateId] : [],
    afterGates: afterRepair === null ? null : { pending: after, isHeld: afterRepair.isHeld },
  };
}

function slotsOf({ policy, tasks }: State2): Kept2["slots"] {
  if (tasks !== null) return { [taskListGateId]: listMemory(tasks) };
  return policy.kind === "session" ? sessionBegin(policy.criterionCount).slots : {};
}
