import type { TaskProgress } from "./task.ts";

/** The task of a role's run as it was when the work began; an edit meanwhile changes nothing. */
export type RoleTask = {
  id: string;
  version: number;
  title: string;
  description: string;
  round: number;
  /** Why later roles sent the task back before this round. */
  reasons: TaskProgress["reasons"];
  /** The project the task is stored under; the role may work in a work tree of its own. */
  projectDir: string;
};
