import { taskListGates, taskListKind } from "../../core/contract/task-list.ts";
import { settleList } from "../prd/settle-list.ts";
import type { GateKind } from "./gate-kind.ts";

/** Whatever an agent did to the task list, after this gate it is in order (CW-4C). A cancel does not stop it. */
export const taskList: GateKind = {
  name: taskListKind,
  gatesOf: taskListGates,
  open: ({ prd }) => (prd === null ? null : (order) => settleList(prd, order)),
};
