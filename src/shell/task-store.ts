import type { Task, TaskStanding } from "../core/tasks/task.ts";

/** A task to be stored. `expected` is the `updatedAt` of the one it replaces; null: there must be none of that id yet. */
export type TaskWrite = { task: Task; expected: number | null };

/**
 * The tasks of each project directory. They outlive the runs that work on them: a prune leaves them. Every write raises
 * `updatedAt`, also when the clock does not, so that it tells one write from another.
 */
export type TaskStore = {
  /** All of them or none; rejects with code `conflict` when one is not as expected. */
  putTasks(directory: string, writes: TaskWrite[]): Promise<void>;
  getTask(directory: string, id: string): Promise<Task | null>;
  /** The highest priority first, then the oldest. */
  listTasks(directory: string): Promise<Task[]>;
  /** Writes how far a task is and nothing else; null when it was changed since `expected`, or is gone. */
  updateTask(
    directory: string,
    id: string,
    update: { expected: number; at: number; standing: TaskStanding },
  ): Promise<Task | null>;
  /** False when it was changed since `expected`, or is gone. */
  removeTask(directory: string, id: string, expected: number): Promise<boolean>;
};
