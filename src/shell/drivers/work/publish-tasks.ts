import { isOtherWork, standingOfEdited } from "../../../core/tasks/edit-task.ts";
import type { TaskStanding } from "../../../core/tasks/task.ts";
import type { WorkPlan } from "../../../core/tasks/work-plan.ts";
import { editedSentence, type TaskEnd } from "../../../core/work/work-outcome.ts";
import { standingOf, type WorkState } from "../../../core/work/work-state.ts";
import type { Machine } from "../../machine.ts";
import type { RunContext } from "../../run-context.ts";
import { writeStanding } from "./task-standing.ts";
import type { WorkConnection } from "./work-connection.ts";

/** What tells others how the tasks of a work run stand. */
export type TaskBoard = {
  machine: Pick<Machine, "store" | "clock">;
  projectDir: string;
  order: WorkPlan;
  connection: Pick<WorkConnection, "onTaskEnd">;
  note: RunContext["note"];
};

/**
 * Writes how each task stands into the store of tasks, where other commands and later work runs read it, and tells the
 * surface of each that ended. Called with every state before it is stored and its effects are carried out: what happens
 * in the world is known of its task before. A task that was edited meanwhile is not finished by the run of its former version.
 */
export function createPublisher(board: TaskBoard): (state: WorkState) => Promise<void> {
  const written = new Map<string, string>();
  const told = new Set<string>();
  return async (state) => {
    for (const task of state.work.tasks) {
      const standing = standingOf(state, task);
      const now = standing === null ? null : JSON.stringify([standing.status, standing.progress]);
      if (standing !== null && now !== null && now !== written.get(task.id)) {
        await publish(board, task.id, standing);
        written.set(task.id, now);
      }
      if (task.phase.kind !== "ended" || told.has(task.id)) continue;
      told.add(task.id);
      board.connection.onTaskEnd(task.phase.end);
    }
  };
}

async function publish(
  { machine, projectDir, order, note }: TaskBoard,
  id: string,
  standing: TaskStanding,
): Promise<void> {
  const worked = order.tasks.find((task) => task.id === id);
  const written = await writeStanding(machine, { directory: projectDir, id }, (stored) =>
    worked === undefined ? standing : standingOfEdited(stored, worked, standing),
  );
  if (written === null) await note("warning", `Task ${id} was removed during the work.`);
}

/** Says at the end of a work run which of its tasks have another definition now than the one it worked on. */
export async function nameEdited(
  { machine, projectDir, order, note }: Omit<TaskBoard, "connection">,
  ends: readonly TaskEnd[],
): Promise<void> {
  for (const worked of order.tasks) {
    const stored = await machine.store.getTask(projectDir, worked.id);
    const end = ends.find(({ id }) => id === worked.id);
    if (stored === null || end === undefined || !isOtherWork(stored, worked)) continue;
    await note("warning", editedSentence(end, { worked: worked.version, stored: stored.version }));
  }
}
