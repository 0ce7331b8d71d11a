import type { Spend } from "../agents/spend.ts";
import type { Gate } from "../contract/gate.ts";
import type { GateAnswer, Moment, Request } from "../run/observation.ts";
import type { PolicyChange } from "../run/policy.ts";
import type { RunState } from "../run/state.ts";
import type { TaskStanding } from "../tasks/task.ts";
import type { TextRef } from "../verification/verdict.ts";
import type { RoleEnd, WorkRules } from "./next-step.ts";
import type { TipFacts, BranchTip } from "./tip-place.ts";

/** The rules of one work run: roles, rounds, slots and the gates of its merged tip. */
export type WorkOrderRules = WorkRules & {
  /** Roles at work at once. */
  jobs: number;
  /** Each task has a work tree of its own, which is merged; else all of them work in the project directory. */
  hasWorktrees: boolean;
  /** What is asked on the tip that a task was merged into. */
  gates: Gate[];
  /** Checks of claims and tips run sealed. */
  isSealed?: true;
};

/** A task as the work run finds it when it starts or is resumed. */
export type FoundTask = {
  id: string;
  dependencies: string[];
  /** Iterations that earlier work runs used on it. */
  iteration: number;
  /** How far it is; null: it was removed. */
  standing: Pick<TaskStanding, "status" | "progress"> | null;
  /** Its stored definition asks for other work than the one that the run keeps. */
  isEdited?: boolean;
  /** What former roles did is where the next one will look. */
  isKept: boolean;
  /** Its work tree and branch; null in the project directory. */
  place: { path: string; branch: string } | null;
};

/** What one role run used, and for which task. The spend of its living turn is part of it. */
export type RoleUse = { taskId: string; iteration: number; spend: Spend; usedMs: number };

/** A role run of this work run; without an end its driver died. */
export type FoundRole = RoleUse & { runId: string; end: RoleEnd | null };

/** What a person brought along when the work run is resumed. */
export type WorkHelp = {
  answer: { taskId: string | null; text: TextRef } | null;
  /** More iterations for a role that has none left. */
  more: number | null;
  /** Changed tests in dispute that become base: `all`, or paths; absent: none do. */
  accepted?: { taskId: string | null; names: string[] };
};

/** Where a role works, and the commit it starts at. `base`: what sealed checks start from; absent where they are not sealed. */
export type RolePlace = { projectDir: string; startCommit: string | null; base?: string };

/**
 * News for the engine of a work run. Answers carry the id of the effect they answer.
 *
 * @example
 * ```ts
 * import { type WorkObservation } from "ralph";
 *
 * const news: WorkObservation = { type: "task-merged", at: Date.now(), upMs: 5, effectId: 7, problem: null, merge: null };
 * console.log(news.type);
 * ```
 */
export type WorkObservation = Moment &
  /** `tip`: the branch that tasks are merged into, as it was found. */
  (
    | { type: "work-started"; rules: WorkOrderRules; tasks: FoundTask[]; tip?: BranchTip }
    | {
        type: "work-resumed";
        rules: WorkOrderRules;
        tasks: FoundTask[];
        roles: FoundRole[];
        help: WorkHelp;
        change: PolicyChange;
        /** Requests made while nobody drove the run: a cancel still counts, an old pause does not. */
        missed: { isCancelAsked: boolean; lastSeq: number };
        /** The branch that tasks are merged into; counts only for a work run that does not know where it left it. */
        tip?: BranchTip;
        /** Only when a version without a work engine stored the run: its state, from which the journal folds on. */
        takenOver?: RunState;
      }
    /** `runId` is the id that the role run gets; it is stored before the run is made. */
    | { type: "place-opened"; effectId: number; place: RolePlace; runId: string }
    /** `isEnding`: the role run ends by itself, with its own reason. */
    | { type: "role-progressed"; effectId: number; use: RoleUse; isEnding: boolean }
    | { type: "role-ended"; effectId: number; use: RoleUse; end: RoleEnd }
    /** HEAD before a merge; null where nothing is merged. */
    | { type: "tip-found"; effectId: number; head: string | null; place?: TipFacts }
    /** `problem`: why it is not merged. `merge`: the merge commit of ours, if there is one. */
    | { type: "task-merged"; effectId: number; problem: string | null; merge: string | null; place?: TipFacts }
    /** `foreign`: paths of the main work tree that are not as in the commit, without a person's earlier changes. */
    | { type: "tip-compared"; effectId: number; place: TipFacts; foreign: string[] }
    /** `said` is what the first red verdict printed; null: none is red. */
    | ({ type: "gate-finished"; effectId: number; said: string | null } & GateAnswer)
    /** `tip`: where the branch is left then. */
    | { type: "merge-undone"; effectId: number; problem: string | null; tip?: string | null }
    | { type: "place-cleared"; effectId: number }
    /** What a person can repair: it ends this task for now, and nothing else. */
    | { type: "operation-failed"; effectId: number; reason: string }
    | { type: "timer-fired"; effectId: number }
    | { type: "asked"; request: Request; seq: number | null }
  );
