import type { CompletionSpec } from "./criteria/completion-spec.ts";
import type { Role } from "./criteria/role.ts";

/** The state of a task. `conflict`: its work is done and waits for a person to merge it. */
export type TaskStatus = "ready" | "running" | "done" | "failed" | "conflict";

/** A unit of work, as it is stored per project. */
export type Task = TaskDefinition &
  TaskStanding & {
    /** Raised by every edit; a run keeps the version it began with. */
    version: number;
    createdAt: number;
    updatedAt: number;
  };

/** The definition of a task: the part that files contain and edits change. */
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
  /** Fields of its file that mean nothing here; shown, and written again with it. */
  other?: Record<string, unknown>;
};

/** The progress of a task: the part that work changes. */
export type TaskStanding = {
  status: TaskStatus;
  /** Iterations used by all roles so far (S2-05). */
  iteration: number;
  /** The task's position in its roles; null before the first one. */
  progress: TaskProgress | null;
};

/** The position of a task in its roles, so that a resume continues there. */
export type TaskProgress = {
  role: Role;
  /** 1 for the first pass; each rejection begins another round. */
  round: number;
  /** Why a later role, or the project after the merge, sent the task back, for the coder's next prompt; newest last. */
  reasons: { role: Role | "merge"; round: number; text: string }[];
  /** The run of the current role, or of the last one. */
  runId: string | null;
  /** One sentence about the state of the task, for `ralph task show`. */
  note: string;
  /** What the claims of this round's roles rest on so far. */
  evidence?: RoleEvidence[];
  /** The tree or commit that sealed checks of all its roles start from; absent where they are not sealed. */
  base?: string;
  /** Set from before the merge until the merged tip is verified: a task with it is not done. */
  tip?: UnverifiedTip;
};

/** A merge that is in progress, or made and not yet verified. */
export type UnverifiedTip = {
  /** HEAD before the merge; null without a merge: then the tip is the project as the last role left it. */
  before: string | null;
  /** The tip was red and the merge is being undone; `merge` is null when ralph made no commit. */
  undoing?: { merge: string | null; reason: string };
};

/** The checks that verified a role's claim; none: the claim rests on the agent's word. */
export type RoleEvidence = { role: Role; checks: string[] };
