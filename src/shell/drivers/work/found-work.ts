import { type Contract, policyGates } from "../../../core/contract/contract.ts";
import { isOtherWork } from "../../../core/tasks/edit-task.ts";
import type { WorkPlan } from "../../../core/tasks/work-plan.ts";
import { roleEndOf, roleUseOf } from "../../../core/work/role-end.ts";
import { tipGates } from "../../../core/work/verify-tip.ts";
import type { FoundRole, FoundTask, WorkOrderRules } from "../../../core/work/work-observation.ts";
import type { RunRecord } from "../../ports.ts";
import type { TaskStore } from "../../task-store.ts";
import type { WorkPlaces } from "../../worktrees/work-places.ts";

/** The rules of a work run, as it was ordered and as its contract says. */
export function rulesOf({ roles, rounds, jobs, worktrees, seal }: WorkPlan, contract: Contract): WorkOrderRules {
  const gates = policyGates(tipGates(contract.gates));
  const sealed = seal === undefined ? {} : { isSealed: true as const };
  return { roles, rounds, jobs, hasWorktrees: worktrees !== null, gates, ...sealed };
}

/** The tasks of a work run as they stand now. */
export async function findTasks(
  store: Pick<TaskStore, "getTask">,
  { projectDir, order, places }: { projectDir: string; order: WorkPlan; places: WorkPlaces },
): Promise<FoundTask[]> {
  const tasks: FoundTask[] = [];
  for (const worked of order.tasks) {
    const { id, dependencies, iteration } = worked;
    const now = await store.getTask(projectDir, id);
    const place = places.nameOf(id);
    tasks.push({
      id,
      dependencies,
      iteration,
      standing: now === null ? null : { status: now.status, progress: now.progress },
      ...(now !== null && isOtherWork(now, worked) ? { isEdited: true } : {}),
      isKept: await places.isKept(id),
      place: place === null ? null : { path: place.path, branch: place.branch },
    });
  }
  return tasks;
}

/** A role run as it was left. */
export function foundRole({ id, state, frozen }: RunRecord): FoundRole {
  return {
    runId: id,
    ...roleUseOf(state, frozen.task?.id ?? ""),
    end: state.outcome === null ? null : roleEndOf(state, frozen),
  };
}
