import { childrenGates, childrenKind } from "../../core/contract/children.ts";
import type { GateKind, OwnGates, PerformGate } from "./gate-kind.ts";

/** The registered children of a supervised task; only its run can wait for them. */
export const children: GateKind = {
  name: childrenKind,
  gatesOf: childrenGates,
  open: ({ own }) => own[childrenKind] ?? null,
};

/** A supervised run waits for them so. */
export function ownChildren(perform: PerformGate): OwnGates {
  return { [childrenKind]: perform };
}
