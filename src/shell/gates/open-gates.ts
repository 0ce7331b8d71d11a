import { assert } from "../../core/assert.ts";
import type { Contract } from "../../core/contract/contract.ts";
import { mayApprove } from "../../core/prd/may-approve.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { AskGate } from "../run-context.ts";
import type { GateKind, GateContext, PerformGate } from "./gate-kind.ts";
import { openTurnRole } from "./turn-role.ts";

/** Opens every kind that the contract names. A kind that nobody performs fails here, before the first turn. */
export function openGates(kinds: readonly GateKind[], contract: Contract, context: GateContext): AskGate {
  const performers = new Map<string, PerformGate>();
  for (const name of new Set(contract.gates.map(({ kind }) => kind))) {
    const perform = kinds.find((kind) => kind.name === name)?.open(context) ?? null;
    if (perform === null)
      throw new RalphError(
        "contract",
        `Nobody performs gates of kind ${name}, which this run needs.`,
        "Start a new run with this version of ralph.",
      );
    performers.set(name, perform);
  }
  const roleOf = openTurnRole(context);
  const { prd } = context.context.frozen;
  return async (effect, signal) => {
    const {
      id: effectId,
      gate: asked,
      iteration,
      candidate,
      hasClaim,
      isGreenSoFar,
      isUnproven,
      slot,
      wallMs,
    } = effect;
    // A gate that people added between turns is in the state alone; its kind needs nothing beyond it.
    const gate = { spec: contract.gates.find((each) => each.id === asked.id)?.spec ?? null, ...asked };
    const perform = performers.get(asked.kind);
    assert(perform !== undefined, "only gates of kinds that the contract names are asked");
    const role = await roleOf(iteration);
    const approves = prd !== undefined && mayApprove(role, prd.review);
    const soFar = { hasClaim, mayApprove: approves, isGreenSoFar, ...(isUnproven === undefined ? {} : { isUnproven }) };
    return perform({ effectId, gate, iteration, role, candidate, ...soFar, slot, wallMs, signal });
  };
}
