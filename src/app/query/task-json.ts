import { openDependencies } from "../../core/tasks/check-dependencies.ts";
import { criteriaFor, roleDefaults } from "../../core/tasks/criteria/default-criteria.ts";
import { writeCompletionSpec } from "../../core/tasks/criteria/read-completion-spec.ts";
import { roles } from "../../core/tasks/criteria/role.ts";
import type { Task } from "../../core/tasks/task.ts";

/** A task as programs get it; `completion` as files have it. */
export function taskJson(task: Task, tasks: readonly Task[]): Record<string, unknown> {
  return {
    ...task,
    completion: task.completion === null ? null : writeCompletionSpec(task.completion),
    role: task.progress?.role ?? null,
    maxIterations: iterationsMax(task),
    waitsFor: openDependencies(task, tasks),
    createdAt: new Date(task.createdAt).toISOString(),
    updatedAt: new Date(task.updatedAt).toISOString(),
  };
}

/** The iterations all roles together may use on one way through. */
export function iterationsMax(task: Task): number {
  return roles.reduce((sum, role) => {
    const { maxIterations } = criteriaFor(task, role, { verifyCommand: null });
    return sum + (maxIterations ?? roleDefaults[role].maxIterations);
  }, 0);
}
