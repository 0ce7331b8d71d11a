import { RalphError } from "../../core/ralph-error.ts";
import { followUpOf, type FollowUpWish } from "../../core/tasks/follow-up.ts";
import type { ImportPlan } from "../../core/tasks/plan-import.ts";
import type { Machine } from "../../shell/machine.ts";
import { knownTask } from "./known-task.ts";
import { storeTasks } from "./store-tasks.ts";

/** A task that follows another one. `change` adds to its document what the person said of it. */
export type FollowUp = Omit<FollowUpWish, "taken"> & {
  directory: string;
  /** The id of the former task. */
  after: string;
  change: (document: Record<string, unknown>) => Promise<Record<string, unknown>>;
};

/** Stores a task that follows another one, and says which. Throws when it has no outcome or criteria of its own. */
export async function storeFollowUp(
  machine: Pick<Machine, "store" | "clock">,
  { directory, after, change, ...wish }: FollowUp,
): Promise<{ id: string; plan: ImportPlan }> {
  const stored = await machine.store.listTasks(directory);
  const former = knownTask(stored, after);
  const taken = stored.map(({ id }) => id);
  if (wish.id !== null && taken.includes(wish.id))
    throw new RalphError("task", `There is already a task ${wish.id}.`, `Change it: ralph task edit ${wish.id}`);
  const document = await change(followUpOf(former, { ...wish, taken }));
  const source = { name: `follow-up of ${after}`, documents: [document] };
  const plan = await storeTasks(machine, { directory, sources: [source], isReplacing: false });
  return { id: String(document["id"]), plan };
}
