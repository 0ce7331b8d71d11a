import type { Contract } from "../../contract/contract.ts";
import type { HeldOutCheck } from "../../contract/held-out-check.ts";
import type { Policy } from "../../run/policy.ts";
import type { SupervisedTask } from "../../supervise/supervised-task.ts";
import type { PrdRun } from "../../prd/prd-run.ts";
import type { RoleCriterion } from "../../tasks/criteria/role-criterion.ts";
import type { RoleTask } from "../../tasks/role-task.ts";
import type { WorkPlan } from "../../tasks/work-plan.ts";
import type { Settings } from "../settings.ts";

/** Where the base prompt comes from. A file is read again at every iteration; nothing else is. */
export type PromptSource = { kind: "text"; text: string } | { kind: "file"; path: string };

/**
 * What a run was started with. Stored once, used by resume; an edit of the files meanwhile changes nothing.
 *
 * @example
 * ```ts
 * import { type FrozenRun, runLoop, wire } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * await loop.outcome;
 * const { store } = await wire();
 * const frozen: FrozenRun | undefined = (await store.find(loop.id))[0]?.frozen;
 * console.log(frozen?.settings.maximumIterations);
 * await store.close();
 * ```
 */
export type FrozenRun = {
  version: string;
  projectDir: string;
  prompt: PromptSource;
  settings: Settings;
  /** The content of the settings files by path; an edit during the run has no effect and is reported. */
  settingsFiles: Record<string, unknown>;
  /** The engine's numbers at start; `newRun(policy)` and the journal give every later state. */
  policy: Policy;
  /** The project's own criteria, as they were before the first turn; absent before they are read. */
  projectCriteria?: RoleCriterion[];
  /** Checks that the agent never sees, with where their files lie at the start; absent: none. Never printed. */
  heldOut?: (HeldOutCheck & { sources: string[] })[];
  /** What done means for it; absent only before the run is stored. */
  contract?: Contract;
  /** HEAD at start, or null outside git. */
  startCommit: string | null;
  /**
   * Files that git neither knew nor ignored at start, by their path from the top of the repository. Absent outside git
   * and in runs of an older version: then a commit takes no new file.
   */
  untrackedAtStart?: string[];
  /** Only in a supervised run: its task. */
  supervised?: SupervisedTask;
  /** Only in a role's run on a task: what its claim is verified against. */
  criterion?: RoleCriterion;
  /** Only in a role's run on a task: the task and how it came to this role. */
  task?: RoleTask;
  /** Only in the record of a work run, whose role runs are its children. */
  work?: WorkPlan;
  /** Only in a run on a task list. */
  prd?: PrdRun;
};
