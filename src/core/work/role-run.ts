import type { Policy } from "../run/policy.ts";
import { outcomeDefault } from "../prompts/role-prompt.ts";
import type { Role } from "../tasks/criteria/role.ts";
import type { TaskProgress } from "../tasks/task.ts";
import type { WorkTask } from "../tasks/work-plan.ts";
import type { FrozenRun } from "../settings/run/frozen-run.ts";
import { noProgressOf, runPolicy } from "../settings/run/run-policy.ts";
import type { Settings } from "../settings/settings.ts";
import { isLastRole } from "./next-step.ts";
import { roleTerms } from "./role-terms.ts";
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
  const { criterion, iterationsMax } = roleTerms(task, role, settings);
  const policy: Policy = {
    ...runPolicy(settings),
    ...rest,
    kind: "work",
    iterationsMax,
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
    // A held-out check asks for what the whole task is about.
    ...(work.heldOut !== undefined && isLastRole(role, work.work?.roles ?? []) ? { heldOut: work.heldOut } : {}),
    task: { id, version, title, description, round, reasons, projectDir: work.projectDir },
  };
  return withCriterion(run, {
    role,
    criterion,
    outcome: completion?.outcome ?? outcomeDefault,
    acceptanceCriteria: completion?.acceptanceCriteria ?? [],
  });
}

/** Turns in a row without any change that stop a role which must change something. */
const noProgressDefault = 3;

/** The agent of a role: its own one, else that of the work. */
export function roleAgent({ work, agent }: Pick<Settings, "work" | "agent">, role: Role): Settings["agent"] {
  const own = work.agents[role];
  return {
    ...agent,
    command: own.command ?? agent.command,
    // Flags of another program mean nothing to this one.
    flags: own.flags ?? (own.command === null ? agent.flags : []),
    model: own.model ?? (own.command === null ? agent.model : null),
  };
}

function roleSettings({ settings, projectDir }: FrozenRun, role: Role): Settings {
  const agent = roleAgent(settings, role);
  const mustChange = role === "coder" || role === "tester";
  const noProgress = mustChange ? noProgressOf(settings, noProgressDefault) : null;
  return {
    ...settings,
    agent: { ...agent, command: fromProject(agent.command, projectDir) },
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
