import type { Task, TaskStanding } from "../../../core/tasks/task.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { Machine } from "../../machine.ts";

/** Edits that may come in between; more than this is not a person. */
const attemptsMax = 20;

/**
 * Writes how far a task is, whatever a person edits meanwhile: work changes its standing and nothing else. `standingOf` is
 * asked again after each edit. Null: the task was removed.
 */
export async function writeStanding(
  { store, clock }: Pick<Machine, "store" | "clock">,
  { directory, id }: { directory: string; id: string },
  standingOf: (stored: Task) => TaskStanding,
): Promise<Task | null> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const now = await store.getTask(directory, id);
    if (now === null) return null;
    const standing = standingOf(now);
    const written = await store.updateTask(directory, id, { expected: now.updatedAt, at: clock.now(), standing });
    if (written !== null) return written;
  }
  throw new RalphError("conflict", `Task ${id} is edited all the time; its standing could not be written.`);
}
