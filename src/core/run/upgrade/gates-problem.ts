import { childrenKind } from "../../contract/children.ts";
import type { Contract, ContractGate } from "../../contract/contract.ts";
import { criterionKind } from "../../contract/criterion.ts";
import type { Gate } from "../../contract/gate.ts";
import { guardrailKind } from "../../contract/guardrail.ts";
import { taskListKind } from "../../contract/task-list.ts";
import { hasShape, objectOf, type Shape, text, count, list } from "../../shape/shape.ts";
import type { Policy } from "../policy.ts";
import type { RunState } from "../state.ts";
import { criterionSpecShape } from "./criterion-shapes.ts";
import { gateShape, rememberingGates } from "./gate-shapes.ts";
import { policyShape } from "./run-state-shape.ts";
import { type Fields, fieldsOf } from "./upgrade-step.ts";

/** What says that a state lost a gate, or the memory by which a gate asks for enough; null: it is whole. */
export function gatesProblem({ policy, slots }: RunState): string | null {
  const { gates, kind } = policy;
  const ids = gates.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return `policy.gates names ${twice} twice`;
  const forgotten = ids.find((id) => rememberingGates.has(id) && !(id in slots));
  if (forgotten !== undefined) return `slots.${forgotten} is missing`;
  const unknown = Object.keys(slots).find((id) => !ids.includes(id));
  if (unknown !== undefined) return `policy.gates does not name ${unknown}, whose memory is there`;
  const needed = neededKinds.get(kind) ?? null;
  const isLacking = needed !== null && !gates.some((gate) => gate.kind === needed);
  return isLacking ? `policy.gates names no gate of kind ${needed}, which a run of kind ${kind} has` : null;
}

/** Gates without which a kind of run would end by the agent's word alone. */
const neededKinds = new Map([
  ["prd", taskListKind],
  ["supervise", childrenKind],
]);

/** The frozen run must name the same gates as the state; its contract holds what they run. */
export function frozenProblem(frozen: Fields, policy: Policy): string | null {
  const { policy: atStart, contract, settings, projectDir, prompt } = frozen;
  if (!hasShape(policyShape, atStart)) return `the frozen run: ${policyShape.problem(atStart, "policy") ?? ""}`;
  if (atStart.kind !== policy.kind || atStart.claimBy !== policy.claimBy)
    return `${atStart.kind === policy.kind ? "claimBy" : "kind"} differs between the frozen run and its state`;
  const changedGate = firstDifference(fixedGates(atStart, policy, frozen), fixedGates(policy, atStart, frozen));
  if (changedGate !== null) return `gate ${changedGate} differs between the frozen run and its state`;
  const wrong = contractProblem(contract, atStart);
  if (wrong !== null) return `the frozen run: ${wrong}`;
  if (!Array.isArray(fieldsOf(settings)?.["guardrails"])) return "the frozen run names no guardrails";
  if (typeof projectDir !== "string") return "the frozen run names no project directory";
  return fieldsOf(prompt) === null ? "the frozen run has no prompt" : null;
}

/** People may change the verify commands of a task list between turns: one revision more. Nothing else changes a gate. */
function fixedGates(policy: Policy, other: Policy, frozen: Fields): Gate[] {
  if (policy.contract.revision === other.contract.revision) return policy.gates;
  const own = fieldsOf(frozen["prd"])?.["settingsGuardrails"];
  const kept = typeof own === "number" ? own : Number.POSITIVE_INFINITY;
  return policy.gates.filter(({ kind, id }) => kind !== guardrailKind || Number(/\d+$/.exec(id)?.[0]) <= kept);
}

/** The id of the first gate that is not the same in both lists. Where it comes from may differ. */
function firstDifference(first: readonly Gate[], second: readonly Gate[]): string | null {
  const length = Math.max(first.length, second.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [first[index], second[index]];
    if (one === undefined || other === undefined || identity(one) !== identity(other))
      return (one ?? other)?.id ?? null;
  }
  return null;
}

/** A guardrail's name is its command. */
function identity({ id, kind, name, when, isBeforeDelivery, isAlways }: Gate): string {
  return JSON.stringify([id, kind, name, when, isBeforeDelivery, isAlways]);
}

/** A run without gates need not have a contract: the record of a work run has none, its roles do. */
function contractProblem(contract: unknown, policy: Policy): string | null {
  if (contract === undefined) return policy.gates.length === 0 ? null : "contract is missing";
  if (!hasShape(contractShape, contract)) return contractShape.problem(contract, "contract");
  if (contract.hash !== policy.contract.hash) return "contract.hash is not that of its policy";
  const differing = firstDifference(contract.gates, policy.gates);
  return differing === null ? null : `gate ${differing} differs between its contract and its policy`;
}

const contractGateShape: Shape<ContractGate> = {
  problem(value, path) {
    const wrong = gateShape.problem(value, path);
    if (wrong !== null || fieldsOf(value)?.["kind"] !== criterionKind) return wrong;
    return criterionSpecShape.problem(fieldsOf(value)?.["spec"], `${path}.spec`);
  },
};

const contractShape: Shape<Contract> = objectOf<Contract>({
  revision: count,
  hash: text,
  gates: list(contractGateShape),
});
