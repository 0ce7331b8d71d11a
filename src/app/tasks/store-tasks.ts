import type { ImportPlan, TaskSource } from "../../core/tasks/plan-import.ts";
import type { Machine } from "../../shell/machine.ts";
import { planOrRefuse } from "./plan-or-refuse.ts";

/** Tasks to store: all of them or none. `isDry`: only what would happen. */
export type TaskImport = { directory: string; sources: readonly TaskSource[]; isReplacing: boolean; isDry?: boolean };

/** Stores the tasks of all sources together, and says what became of each. Throws and stores nothing when one is wrong. */
export async function storeTasks(
  { store, clock }: Pick<Machine, "store" | "clock">,
  { directory, sources, isReplacing, isDry = false }: TaskImport,
): Promise<ImportPlan> {
  const stored = await store.listTasks(directory);
  const plan = planOrRefuse(sources, { stored, isReplacing, at: clock.now() });
  if (!isDry) await store.putTasks(directory, plan.writes);
  return plan;
}
