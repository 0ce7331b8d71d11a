import type { ContractGate, ContractSources } from "./contract.ts";

/** The kind of the gate that waits for the children of a supervised task. */
export const childrenKind = "children";

/** DONE counts once the registered children are gone, or the wait for them is over. */
export function childrenGates({ surface, settings }: ContractSources): ContractGate[] {
  if (surface !== "supervise") return [];
  return [
    {
      id: "children",
      kind: childrenKind,
      name: "children gone",
      when: "on-claim",
      isBeforeDelivery: false,
      isAlways: false,
      origin: "ralph supervise",
      limits: { wallMs: settings.children.wait },
      tells: "notes",
      spec: null,
    },
  ];
}
