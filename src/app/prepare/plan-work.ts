import { unsealedReason } from "../../core/contract/sealed.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { Criterion } from "../../core/tasks/criteria/completion-spec.ts";
import type { Role } from "../../core/tasks/criteria/role.ts";
import type { WorkTask } from "../../core/tasks/work-plan.ts";
import { roleRun } from "../../core/work/role-run.ts";
import { uncontainedReason } from "../../shell/drivers/opening-notes.ts";
import { type ContractedRun, contractSources } from "../../shell/gates/freeze-contract.ts";
import type { Machine } from "../../shell/machine.ts";
import { contractOf } from "./plan-start.ts";

/** What a work run would do: its tasks in their order, each with its roles, and what done means. */
export type WorkStartPlan = {
  frozen: ContractedRun;
  tasks: PlannedTask[];
  /** Why its checks do not run sealed; null: they do. */
  unsealed: string | null;
  /** Why processes that turns leave may outlive them; null: a PID namespace holds them. */
  uncontained: string | null;
};

/** A task with the roles it goes through. */
export type PlannedTask = { id: string; title: string; roles: PlannedRole[] };

/** A role run as it would start: its agent, its limit, and what its claim is verified against. */
export type PlannedRole = {
  role: Role;
  agent: string | null;
  model: string | null;
  maxIterations: number | null;
  criterion: Criterion | null;
};

/** Plans a work run. Starts and stores nothing. */
export async function planWork(machine: Pick<Machine, "disk" | "processes">, given: FrozenRun): Promise<WorkStartPlan> {
  const frozen = await contractOf(machine, given);
  const { tasks = [], roles = [] } = frozen.work ?? {};
  return {
    frozen,
    unsealed: unsealedReason(contractSources(frozen)),
    uncontained: await uncontainedReason(machine.processes, frozen),
    tasks: tasks.map((task) => ({
      id: task.id,
      title: task.title,
      roles: roles.map((role) => plannedRole(frozen, task, role)),
    })),
  };
}

function plannedRole(work: ContractedRun, task: WorkTask, role: Role): PlannedRole {
  const { settings, policy, criterion } = roleRun({
    work,
    task,
    progress: { role, round: 1, reasons: [], runId: null, note: "" },
    place: { projectDir: work.projectDir, startCommit: null },
    rest: { budgetUsd: null, budgetTokens: null, budgetMs: null },
  });
  const { command: agent, model } = settings.agent;
  return { role, agent, model, maxIterations: policy.iterationsMax, criterion: criterion?.criterion ?? null };
}
