import { RalphError } from "../../core/ralph-error.ts";
import type { ImportPlan } from "../../core/tasks/plan-import.ts";
import type { Task } from "../../core/tasks/task.ts";
import type { Machine } from "../../shell/machine.ts";
import { knownTask } from "./known-task.ts";
import { planOrRefuse } from "./plan-or-refuse.ts";

/** Progress of the task may be stored meanwhile; that is not a reason to refuse an edit. */
const triesMax = 5;

/** Stores a new version of a task. Throws when somebody else edited it since `task` was read, or when its id changed. */
export async function editTask(
  { store, clock }: Pick<Machine, "store" | "clock">,
  directory: string,
  { task, documents }: { task: Task; documents: unknown[] },
): Promise<ImportPlan> {
  const source = { name: `task ${task.id}`, documents };
  for (let tries = 1; ; tries += 1) {
    const stored = await store.listTasks(directory);
    if (knownTask(stored, task.id).version !== task.version)
      throw new RalphError("conflict", `Task ${task.id} was edited by somebody else meanwhile.`, "Edit it again.");
    const plan = planOrRefuse([source], { stored, isReplacing: true, at: clock.now() });
    const ids = [...plan.added, ...plan.replaced, ...plan.unchanged];
    if (ids.length !== 1 || ids[0] !== task.id)
      throw new RalphError("task", `An edit keeps the id ${task.id}; found ${ids.join(", ")}.`, "Import other tasks.");
    try {
      await store.putTasks(directory, plan.writes);
      return plan;
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "conflict" || tries === triesMax) throw error;
    }
  }
}
