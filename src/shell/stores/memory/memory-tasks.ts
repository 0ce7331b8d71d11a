import { inOrder } from "../../../core/tasks/choose-tasks.ts";
import type { Task, TaskStanding } from "../../../core/tasks/task.ts";
import type { TaskWrite } from "../../task-store.ts";
import { changedTask } from "../refusals.ts";
import { taskChange, writtenAt } from "../task-rule.ts";
import type { MemoryContents } from "./memory-contents.ts";

/** Stores all of them or none. */
export function putTasks(data: MemoryContents, directory: string, writes: readonly TaskWrite[]): void {
  const tasks = new Map(data.tasks.get(directory));
  for (const { task, expected } of writes) {
    const change = taskChange(tasks.get(task.id)?.updatedAt ?? null, expected);
    if (change !== null) throw changedTask(task.id, change);
    tasks.set(task.id, { ...task, updatedAt: writtenAt(expected, task.updatedAt) });
  }
  data.tasks.set(directory, tasks);
}

/** The highest priority first, then the oldest. */
export function listTasks(data: MemoryContents, directory: string): Task[] {
  return inOrder(Array.from(data.tasks.get(directory)?.values() ?? []));
}

/** Writes the standing alone, or nothing when the task is not as expected. */
export function updateTask(
  data: MemoryContents,
  directory: string,
  id: string,
  { expected, at, standing }: { expected: number; at: number; standing: TaskStanding },
): Task | null {
  const task = data.tasks.get(directory)?.get(id);
  if (task?.updatedAt !== expected) return null;
  const { status, iteration, progress } = standing;
  const updated = { ...task, status, iteration, progress, updatedAt: writtenAt(expected, at) };
  data.tasks.get(directory)?.set(id, updated);
  return updated;
}

/** Removes the task unless it is not as expected. */
export function removeTask(data: MemoryContents, directory: string, id: string, expected: number): boolean {
  const tasks = data.tasks.get(directory);
  return tasks?.get(id)?.updatedAt === expected && tasks.delete(id);
}
