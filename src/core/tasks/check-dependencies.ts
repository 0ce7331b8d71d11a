import { closest } from "../text/closest.ts";
import type { TaskDefinition } from "./task.ts";

/** The part of a task that dependencies need. */
type Node = Pick<TaskDefinition, "id" | "dependencies">;

/** Problems of the dependencies of `given`, checked against all tasks after the import. */
export function checkDependencies(given: readonly Node[], all: readonly Node[]): { id: string; message: string }[] {
  const ids = all.map(({ id }) => id);
  const wrong = given.flatMap(({ id, dependencies }) =>
    dependencies.flatMap((dependency) => {
      if (dependency === id) return [{ id, message: "depends on itself" }];
      return ids.includes(dependency) ? [] : [{ id, message: unknownTask(dependency, ids) }];
    }),
  );
  const cycle = findCycle(all);
  const first = cycle === null ? undefined : (given.find(({ id }) => cycle.includes(id))?.id ?? cycle[0]);
  if (cycle === null || first === undefined) return wrong;
  const at = cycle.indexOf(first);
  const named = [...cycle.slice(at), ...cycle.slice(0, at), first].join(" -> ");
  return [...wrong, { id: first, message: `is part of a cycle, so none of it could ever begin: ${named}` }];
}

function unknownTask(dependency: string, ids: readonly string[]): string {
  const near = closest(dependency, ids);
  return `names the unknown task ${dependency}${near === null ? "" : `; did you mean ${near}?`}`;
}

/** The ids of one cycle of at least two tasks, each before the one it depends on; null without a cycle. */
function findCycle(all: readonly Node[]): string[] | null {
  const open = new Map(all.map(({ id, dependencies }) => [id, dependencies.filter((each) => each !== id)]));
  // Removes tasks without open dependencies until only cycles and their dependents are left.
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const [id, dependencies] of Array.from(open)) {
      if (dependencies.some((each) => open.has(each))) continue;
      open.delete(id);
      isSmaller = true;
    }
  }
  const path: string[] = [];
  let next = Array.from(open.keys())[0];
  while (next !== undefined && !path.includes(next)) {
    path.push(next);
    next = open.get(next)?.find((each) => open.has(each));
  }
  return next === undefined ? null : path.slice(path.indexOf(next));
}

/** What a task still waits for: dependencies that are not done or no longer exist. */
export function openDependencies(
  task: Pick<TaskDefinition, "dependencies">,
  tasks: readonly { id: string; status: string }[],
): string[] {
  return task.dependencies.filter((id) => !tasks.some((each) => each.id === id && each.status === "done"));
}
