import type { ListedTask, TaskFile } from "./task-file.ts";

/** Everything that prevents open tasks from becoming ready: an unknown id, a self-dependency, a circle. */
export function findDependencyFaults(file: TaskFile): string[] {
  const open = file.tasks.filter(({ passes }) => !passes);
  const unknown = open.flatMap((task) =>
    task.dependsOn
      .filter((id) => dependenciesNamed(file, id).length === 0)
      .map((id) => `Story ${task.id} depends on ${id}, which does not exist.`),
  );
  const circle = findCircle(file, open);
  return circle === null ? unknown : [...unknown, circleSentence(circle)];
}

/** Whether everything a task depends on is done. A task that was split is done when all its parts are. */
export function isReady(file: TaskFile, task: ListedTask): boolean {
  return task.dependsOn.every((id) => {
    const named = dependenciesNamed(file, id);
    return named.length > 0 && named.every(({ passes }) => passes);
  });
}

/** The task of that id, or those it was split into. */
function dependenciesNamed(file: TaskFile, id: string): ListedTask[] {
  const own = file.tasks.find((task) => task.id === id);
  return own === undefined ? file.tasks.filter(({ splitFrom }) => splitFrom === id) : [own];
}

/** Walks the dependencies of each open task; every task is visited once. */
function findCircle(file: TaskFile, open: readonly ListedTask[]): string[] | null {
  const finished = new Set<string>();
  for (const start of open) {
    const path: { task: ListedTask; rest: ListedTask[] }[] = [];
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) finished.add((path.pop() ?? top).task.id);
      else if (path.some(({ task }) => task === next))
        return [...path.slice(path.findIndex(({ task }) => task === next)).map(({ task }) => task.id), next.id];
      else enter(next);
    }

    function enter(task: ListedTask): void {
      if (finished.has(task.id)) return;
      const rest = task.dependsOn.flatMap((id) => dependenciesNamed(file, id)).filter(({ passes }) => !passes);
      path.push({ task, rest });
    }
  }
  return null;
}

function circleSentence(ids: readonly string[]): string {
  if (ids.length === 2) return `Story ${ids[0] ?? ""} depends on itself.`;
  return `Stories depend on each other in a circle: ${ids.join(" → ")}.`;
}
