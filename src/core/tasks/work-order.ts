import type { Role } from "./role.ts";
import type { TaskDefinition } from "./task.ts";

/** What a work was started with, frozen: its tasks in the order they were chosen, and its rules. */
export type WorkOrder = {
  tasks: WorkTask[];
  roles: Role[];
  rounds: number;
  /** Tasks at once; more than one only in work trees of their own. */
  jobs: number;
  /**
   * The branch that work trees start from and are merged into, and the project's folder below the top of the repository;
   * null: everything happens in the project directory.
   */
  worktrees: { branch: string; prefix: string } | null;
};

/** A task as it was when the work began. */
export type WorkTask = TaskDefinition & {
  version: number;
  /** Iterations that earlier works have used on it. */
  iteration: number;
};
