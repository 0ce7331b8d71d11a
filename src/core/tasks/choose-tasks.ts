import { closest } from "../text/closest.ts";
import { checkDependencies, openDependencies } from "./check-dependencies.ts";
import type { Task } from "./task.ts";

/** The tasks of a work run in order, and why other tasks are left out. */
export type ChosenTasks = { chosen: Task[]; left: { id: string; why: string }[] };

/**
 * Chooses the tasks of a work run: by priority, each after its dependencies. Without names, every task that is ready; by
 * name also one that failed or could not be merged. `all` is in the order of priority. With problems, no task is chosen.
 */
export function chooseTasks(all: readonly Task[], names: readonly string[]): ChosenTasks | { problems: string[] } {
  const problems = [...unknownNames(all, names), ...cycles(all)];
  if (problems.length > 0) return { problems };
  const asked = names.length === 0 ? all : all.filter(({ id }) => names.includes(id));
  const open = asked.filter(({ status }) => isOpen(status, names.length > 0));
  const chosen: Task[] = [];
  for (let next = firstReady(open, chosen, all); next !== undefined; next = firstReady(open, chosen, all))
    chosen.push(next);
  const left = asked
    .filter((task) => !chosen.includes(task))
    .flatMap((task) => {
      const why = whyLeft(task, open, all);
      return why === null ? [] : [{ id: task.id, why }];
    });
  return { chosen, left };
}

/** Tasks in the order in which stores list them: by priority, then age, then id. */
export function inOrder(tasks: readonly Task[]): Task[] {
  return tasks.toSorted(
    (first, second) =>
      first.priority - second.priority || first.createdAt - second.createdAt || (first.id < second.id ? -1 : 1),
  );
}

/** A task that is still marked as running belongs to a dead driver: the project's lock allows only one work run. */
function isOpen(status: Task["status"], isNamed: boolean): boolean {
  if (status === "ready" || status === "running") return true;
  return isNamed && status !== "done";
}

function firstReady(open: readonly Task[], chosen: readonly Task[], all: readonly Task[]): Task | undefined {
  return open.find(
    (task) =>
      !chosen.includes(task) && openDependencies(task, all).every((id) => chosen.some((before) => before.id === id)),
  );
}

function whyLeft(task: Task, open: readonly Task[], all: readonly Task[]): string | null {
  if (task.status === "done") return "is done";
  if (open.includes(task)) return `waits for ${openDependencies(task, all).join(", ")}`;
  const note = task.progress?.note ?? "";
  const how = task.status === "conflict" ? "waits to be merged" : "has failed";
  return `${how}${note === "" ? "" : ` (${note})`}; \`ralph work ${task.id}\` tries again`;
}

function unknownNames(all: readonly Task[], names: readonly string[]): string[] {
  const ids = all.map(({ id }) => id);
  return names
    .filter((name) => !ids.includes(name))
    .map((name) => {
      const near = closest(name, ids);
      return `There is no task "${name}"${near === null ? "." : `; did you mean ${near}?`}`;
    });
}

function cycles(all: readonly Task[]): string[] {
  return checkDependencies(all, all).map(
    ({ id, message }) => `Task ${id} ${message}${message.endsWith("?") ? "" : "."}`,
  );
}
