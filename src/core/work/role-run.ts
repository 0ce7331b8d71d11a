import type { Policy } from "../run/policy.ts";
import { outcomeDefault } from "../prompts/role-prompt.ts";
import { criteriaFor } from "../tasks/criteria/default-criteria.ts";
import type { Criterion } from "../tasks/criteria/completion-spec.ts";
import type { Role } from "../tasks/criteria/role.ts";
import type { TaskProgress } from "../tasks/task.ts";
import type { WorkTask } from "../tasks/work-plan.ts";
import type { FrozenRun } from "../settings/run/frozen-run.ts";
import { noProgressOf, runPolicy } from "../settings/run/run-policy.ts";
import type { Settings } from "../settings/settings.ts";
import { withCriterion } from "../settings/run/with-criterion.ts";

/** What is left of the budgets of the whole work. */
export type BudgetRest = Pick<Policy, "budgetUsd" | "budgetTokens" | "budgetMs">;

/** What a role's run is made from. */
export type RoleRunParts = {
  /** The record of the work: its settings hold for every role. */
  work: FrozenRun;
  task: WorkTask;
  progress: TaskProgress;
  /** Where the role works, and the commit it starts at. */
  place: { projectDir: string; startCommit: string | null };
  rest: BudgetRest;
};

/** A role's run: the work's settings, with the role's own agent, limits and criterion, frozen. */
export function roleRun({ work, task, progress, place, rest }: RoleRunParts): FrozenRun {
  const { role, round, reasons } = progress;
  const settings = roleSettings(work, role);
  const { id, version, title, description, completion } = task;
  const criterion = roleCriterion(task, role, settings);
  const policy: Policy = {
    ...runPolicy(settings),
    ...rest,
    kind: "work",
    iterationsMax: isSinglePass(task, settings) ? 1 : iterationsOf(criterion, role, settings),
    hasFinalDelivery: false,
    canReject: role !== "coder",
    requireProgress: false,
  };
  const run: FrozenRun = {
    ...place,
    version: work.version,
    // The prompt is made of the task at every turn; this names it for people.
    prompt: { kind: "text", text: `${role} of task ${id}: ${title}` },
    settings,
    settingsFiles: work.settingsFiles,
    // As they were before the work began: the role's agent can edit the file in its work tree.
    projectCriteria: work.projectCriteria ?? [],
    policy,
    task: { id, version, title, description, round, reasons, projectDir: work.projectDir },
  };
  return withCriterion(run, {
    role,
    criterion,
    outcome: completion?.outcome ?? outcomeDefault,
    acceptanceCriteria: completion?.acceptanceCriteria ?? [],
  });
}

/** Whether a task without a completion spec shall run once a role instead of in a loop (S2-18, CW-2E). */
export function isSinglePass(task: Pick<WorkTask, "completion">, { missingSpec }: Settings): boolean {
  return task.completion === null && missingSpec === "single-pass";
}

/** Turns in a row without any change that stop a role which must change something. */
const noProgressDefault = 3;

function roleSettings({ settings, projectDir }: FrozenRun, role: Role): Settings {
  const own = settings.work.agents[role];
  const mustChange = role === "coder" || role === "tester";
  const noProgress = mustChange ? noProgressOf(settings, noProgressDefault) : null;
  return {
    ...settings,
    agent: {
      ...settings.agent,
      command: fromProject(own.command ?? settings.agent.command, projectDir),
      // Flags of another program mean nothing to this one.
      flags: own.flags ?? (own.command === null ? settings.agent.flags : []),
      model: own.model ?? (own.command === null ? settings.agent.model : null),
    },
    breaker: { ...settings.breaker, noProgress },
    completion: { ...settings.completion, requireProgress: false },
  };
}

/** A path is meant from the project, also where the role works in a work tree of its own. */
function fromProject(command: string | null, projectDir: string): string | null {
  return command !== null && /^\.{0,2}[^/~]*\//.test(command) && !command.startsWith("/")
    ? `${projectDir}/${command}`
    : command;
}

function roleCriterion(task: WorkTask, role: Role, settings: Settings): Criterion {
  const verifyCommand = isSinglePass(task, settings) ? null : settings.verifyCommand;
  return criteriaFor(task, role, { verifyCommand });
}

/** There is always a maximum, whatever is configured (S2-63). */
const iterationsDefault = 10;

/** The criterion's own limit, else the role's, else the general one, else ten (CW-2K). */
function iterationsOf(criterion: Criterion, role: Role, settings: Settings): number {
  const { maximumIterations } = settings;
  const general = maximumIterations === "unbounded" ? iterationsDefault : maximumIterations;
  return criterion.maxIterations ?? settings.work.maxIterations[role] ?? general;
}
