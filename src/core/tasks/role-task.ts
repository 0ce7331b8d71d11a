import type { TaskProgress } from "./task.ts";

/** The task of a role's run as it was when the work began; later edits have no effect. */
export type RoleTask = {
  id: string;
  version: number;
  title: string;
  description: string;
  round: number;
  /** Why later roles sent the task back before this round. */
  reasons: TaskProgress["reasons"];
  /** The project of the task; the role may work in a separate work tree. */
  projectDir: string;
};
