import type { Contract } from "../../core/contract/contract.ts";
import type { GateKind, PrepareContext } from "./gate-kind.ts";

/** Lets every kind look, before the first turn, whether its gates of the contract can be asked at all. */
export async function prepareGates(
  kinds: readonly GateKind[],
  contract: Contract,
  context: PrepareContext,
): Promise<void> {
  for (const kind of kinds) {
    const own = contract.gates.filter((gate) => gate.kind === kind.name);
    if (own.length > 0) await kind.prepare?.(own, context);
  }
}
