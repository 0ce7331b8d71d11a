import type { ContractGate, ContractSources } from "./contract.ts";

/** The kind of the gate that keeps a task list in order. */
export const taskListKind = "task-list";

/** The id of the one such gate a run on a task list has; its memory is found by it. */
export const taskListGateId = "task-list";

/** The task list is put in order after every turn, and before any way out of one. */
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
