import type { CompletionSpec } from "./completion-spec.ts";
import type { Role } from "./role.ts";

/** How far a task is. `conflict`: its work is done and waits for a person to merge it. */
export type TaskStatus = "ready" | "running" | "done" | "failed" | "conflict";

/** A unit of work, as it is stored per project. */
export type Task = TaskDefinition &
  TaskStanding & {
    /** Raised by every edit; a run keeps the version it began with. */
    version: number;
    createdAt: number;
    updatedAt: number;
  };

/** What a person says about a task: the part that files hold and edits change. */
export type TaskDefinition = {
  id: string;
  /** The specification it belongs to; free text. */
  spec: string;
  title: string;
  description: string;
  /** 1 is the highest. */
  priority: number;
  dependencies: string[];
  assignee: string | null;
  metadata: Record<string, unknown>;
  /** Null: imported without one; its criteria are the defaults, and runs say so (S2-57). */
  completion: CompletionSpec | null;
};

/** How far a task is: the part that work changes. */
export type TaskStanding = {
  status: TaskStatus;
  /** Iterations used by all roles so far (S2-05). */
  iteration: number;
  /** Where the task stands on its way through the roles; null before the first. */
  progress: TaskProgress | null;
};

/** The way of a task through its roles, so that a resume goes on where it stopped. */
export type TaskProgress = {
  role: Role;
  /** 1 for the first way through; each rejection begins another. */
  round: number;
  /** Why a later role, or the project after the merge, sent the task back, for the coder's next prompt; newest last. */
  reasons: { role: Role | "merge"; round: number; text: string }[];
  /** The run of the role at work, or of the last one. */
  runId: string | null;
  /** One sentence on how the task stands, for `ralph task show`. */
  note: string;
  /** What the claims of this round's roles rest on so far. */
  evidence?: RoleEvidence[];
  /** There from before the merge until the merged tip was verified: a task with it is not done. */
  tip?: UnverifiedTip;
};

/** A merge that is on its way, or made and not yet verified. */
export type UnverifiedTip = {
  /** HEAD before the merge; null where nothing is merged, and the tip is the project as the last role left it. */
  before: string | null;
  /** The tip was red, and this is being undone; `merge` is null where there is no commit of ours. */
  undoing?: { merge: string | null; reason: string };
};

/** The checks that verified a role's claim; none: the claim rests on the agent's word. */
export type RoleEvidence = { role: Role; checks: string[] };
