import { taskListGates, taskListKind } from "../../core/contract/task-list.ts";
import type { GateKind, OwnGates, PerformGate } from "./gate-kind.ts";

/** The task list of a run that has one; only such a run can ask it. */
export const taskList: GateKind = {
  name: taskListKind,
  gatesOf: taskListGates,
  open: ({ own }) => own[taskListKind] ?? null,
};

/** A run with a task list asks it so. */
export function ownTaskList(perform: PerformGate): OwnGates {
  return { [taskListKind]: perform };
}
