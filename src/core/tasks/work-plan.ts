import type { Role } from "./criteria/role.ts";
import type { TaskDefinition } from "./task.ts";

/** What a work run was started with, frozen: its tasks in the chosen order, and its rules. */
export type WorkPlan = {
  tasks: WorkTask[];
  roles: Role[];
  rounds: number;
  /** How many tasks run at once; more than one only in separate work trees. */
  jobs: number;
  /**
   * The branch that work trees start from and are merged into, and the project's folder below the top of the repository;
   * null: everything happens in the project directory.
   */
  worktrees: { branch: string; prefix: string } | null;
  /** The hash of the seal that its roles and merged tips are verified by; absent: its checks are not sealed. */
  seal?: string;
};

/** A task as it was when the work began. */
export type WorkTask = TaskDefinition & {
  version: number;
  /** Iterations that earlier work runs used on it. */
  iteration: number;
};
