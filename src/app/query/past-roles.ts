import type { PastRole } from "../../core/tasks/propose-limits.ts";
import type { Records } from "../../shell/wire-store.ts";

/** The newest runs of all projects that are looked through: role runs in work trees have directories of their own. */
const runsMax = 2000;

/** The ended role runs of a project's tasks that tell how many iterations a role needs: completed or used up. */
export async function pastRoles({ store }: Pick<Records, "store">, directory: string): Promise<PastRole[]> {
  const tasks = await store.listTasks(directory);
  const runs = await store.list({ directory: null, limit: runsMax });
  return runs.flatMap(({ frozen: { task, criterion }, outcome, state }) => {
    if (task === undefined || criterion === undefined || task.projectDir !== directory) return [];
    if (outcome?.name !== "completed" && outcome?.name !== "exhausted") return [];
    const spec = tasks.find(({ id }) => id === task.id)?.spec ?? "";
    const isCompleted = outcome.name === "completed";
    return [{ role: criterion.role, spec, title: task.title, iterations: state.iteration, isCompleted }];
  });
}
