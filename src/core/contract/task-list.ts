import type { ContractGate, ContractSources } from "./contract.ts";

/** The kind of the gate that keeps a task list in order. */
export const taskListKind = "task-list";

/** The id of the only such gate of a run on a task list; it finds the gate's memory. */
export const taskListGateId = "task-list";

/** Repairs the task list after every turn, and before any way out of a turn. */
export function taskListGates({ surface }: ContractSources): ContractGate[] {
  if (surface !== "prd") return [];
  return [
    {
      id: taskListGateId,
      kind: taskListKind,
      name: "the task list",
      when: "every-turn",
      isBeforeDelivery: true,
      isAlways: true,
      origin: "ralph prd run",
      limits: { wallMs: null },
      tells: "notes",
      spec: null,
    },
  ];
}
