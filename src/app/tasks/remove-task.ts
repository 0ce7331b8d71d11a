import { RalphError } from "../../core/ralph-error.ts";
import type { Machine } from "../../shell/machine.ts";
import { howToResume } from "../functions/own-functions.ts";
import { isDriven, type Looker } from "../query/find/is-driven.ts";
import { knownTask } from "./known-task.ts";

type Place = Pick<Machine, "store"> & Looker;

/** Removes a task; one in progress or with dependents only when that is forced. */
export async function removeTask(
  machine: Place,
  directory: string,
  { id, isForced }: { id: string; isForced: boolean },
): Promise<void> {
  const tasks = await machine.store.listTasks(directory);
  const task = knownTask(tasks, id);
  const dependents = tasks.filter(({ dependencies }) => dependencies.includes(id)).map((each) => each.id);
  if (!isForced) {
    if (task.status === "running") throw await refusal(machine, directory, id);
    if (dependents.length > 0)
      throw new RalphError(
        "task",
        `Task ${id} is needed by ${dependents.join(", ")}.`,
        "Edit or remove those first; with --force they wait for a task that is gone.",
      );
  }
  if (!(await machine.store.removeTask(directory, id, task.updatedAt)))
    throw new RalphError("conflict", `Task ${id} was changed meanwhile; it was not removed.`, "Try again.");
}

/** A work run whose driver died leaves its tasks running: resume or cancel it before removing them. */
async function refusal(machine: Place, directory: string, id: string): Promise<RalphError> {
  const runs = await machine.store.list({ directory, limit: null });
  const work = runs.find(
    ({ outcome, frozen }) => outcome === null && frozen.work?.tasks.some((task) => task.id === id),
  );
  if (work === undefined || (await isDriven(machine, work))) {
    const end = work === undefined ? "End its run first" : `End its work first: ralph cancel ${work.id}`;
    return new RalphError("task", `Task ${id} is being worked on.`, `${end}, or remove it with --force.`);
  }
  const hint = `Resume with: ${howToResume(work)}; or give it up: ralph cancel ${work.id}; or remove it with --force.`;
  return new RalphError("task", `Task ${id} is in the middle of work ${work.id}, which was cut off.`, hint);
}
