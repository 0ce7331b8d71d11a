import type { Role } from "../../../core/tasks/criteria/role.ts";
import type { TaskEnd } from "../../../core/work/work-outcome.ts";
import type { RunConnection } from "../start-run.ts";

/** A role run as people see it. */
export type ShownRole = { taskId: string; role: Role; round: number; runId: string };

/** How a surface listens to a work run and its role runs. */
export type WorkConnection = Pick<RunConnection, "onRequest" | "onSealing" | "onTaking" | "onTaken"> & {
  /** A line about the work run or one of its tasks. */
  onNote: (level: "info" | "warning", text: string) => void;
  /** The connection of one role run. */
  forRole: (role: ShownRole) => Omit<RunConnection, "onRequest" | "onTaking">;
  onTaskEnd: (end: TaskEnd) => void;
};
