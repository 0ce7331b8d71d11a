import type { ContractGate, ContractSources } from "./contract.ts";
import { sealedGateId, sealedGateOf } from "./sealed.ts";

/** The kind of the gate that verifies turns of a task list that may approve something. */
export const sealedTurnKind = "sealed-turn";

/**
 * On a task list an approval is what a claim is elsewhere. It stands before the list, which approves nothing where a gate before it is
 * red; the gate on a claim then looks at what only a claim asks for.
 */
export function sealedTurnGates(sources: ContractSources): ContractGate[] {
  if (sources.surface !== "prd") return [];
  const gate = sealedGateOf(sources);
  if (gate === null) return [];
  const own = { id: sealedGateId, kind: sealedTurnKind, name: "sealed verification of approvals" };
  return [{ ...gate, ...own, when: "every-turn" }];
}
