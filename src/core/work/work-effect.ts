import type { Gate } from "../contract/gate.ts";
import type { Request } from "../run/observation.ts";
import type { Outcome } from "../run/outcome.ts";
import type { PolicyChange } from "../run/policy.ts";
import type { TaskProgress } from "../tasks/task.ts";
import type { TextRef } from "../verification/verdict.ts";
import type { BudgetRest } from "./role-run.ts";
import type { RolePlace } from "./work-observation.ts";

/** How a role run begins. `cancel` starts no agent: it ends a run whose driver died. */
export type RoleStart =
  | { kind: "new"; place: RolePlace; rest: BudgetRest }
  /** `acceptedTests`: changed tests in dispute that a person accepts, `all` or paths. */
  | { kind: "resume"; change: PolicyChange; answer: TextRef | null; acceptedTests?: string[] }
  | { kind: "cancel" };

/** What is asked of the branch: whether it still holds these commits. `since` is HEAD before the task's merge, where it is known. */
export type TipQuestion = { verified: string[]; since: string | null };

/** How a tip is verified where checks are sealed. */
export type SealedTip = {
  /** The verified tip before it, or the tree that its task began with; null: what the work run began with. */
  base: string | null;
  /** The merged commit; null: the tip is the project directory. */
  commit: string | null;
  /** Whose held-out checks are asked: tasks that are done, and the one that was merged. */
  tasks: string[];
  isGreenSoFar: boolean;
};

/**
 * Orders of a work run, as data. Each has an id; its answer repeats it. Several may be in flight. `tell-role`,
 * `cut-role` and `cut` name the effect they are for and are not answered, nor is `end-run`; every other effect is
 * answered exactly once.
 *
 * @example
 * ```ts
 * import { type WorkEffect } from "ralph";
 *
 * const order: WorkEffect = { type: "open-place", id: 2, taskId: "greet" };
 * console.log(order.type);
 * ```
 */
export type WorkEffect =
  | { type: "open-place"; id: number; taskId: string }
  | { type: "start-role"; id: number; taskId: string; runId: string; progress: TaskProgress; start: RoleStart }
  /** Passes on what people asked of the work run. */
  | { type: "tell-role"; id: number; effectId: number; request: Request }
  /** Ends a role run at once and for this reason. */
  | { type: "cut-role"; id: number; effectId: number; because: Outcome }
  /** Finds the commit that the next merge goes onto, so that it is stored before the merge. */
  | ({ type: "find-tip"; id: number; taskId: string } & Partial<TipQuestion>)
  | ({ type: "merge-task"; id: number; taskId: string; before: string | null } & Partial<TipQuestion>)
  /** Compares the main work tree with the commit that a task was merged into, and looks at its branch. */
  | ({ type: "compare-tip"; id: number; taskId: string; commit: string } & TipQuestion)
  /** Asks one gate on the merged tip. `runId` is the last role run, whose words a judge reads. */
  | {
      type: "verify-tip";
      id: number;
      taskId: string;
      runId: string | null;
      gate: Gate;
      iteration: number;
      wallMs: number | null;
      /** Absent: it is verified where it lies. */
      sealed?: SealedTip;
    }
  /** Takes a red merge back; `merge` is null when ralph made no merge commit. */
  | { type: "undo-merge"; id: number; taskId: string; merge: string | null; reason: string }
  /** Removes what a merged task no longer needs. */
  | { type: "clear-place"; id: number; taskId: string }
  | { type: "set-timer"; id: number; durationMs: number; dueAt: number }
  /** Cuts the gate that is asked on the tip. */
  | { type: "cut"; id: number; effectId: number }
  | { type: "end-run"; id: number; outcome: Outcome };

/** An effect before it has its id. */
export type NewEffect = WorkEffect extends infer Each ? (Each extends WorkEffect ? Omit<Each, "id"> : never) : never;
