import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { uncontainedReason } from "../../shell/drivers/opening-notes.ts";
import { planRun, type RunPlan } from "../../shell/drivers/plan-run.ts";
import { type ContractedRun, freezeContract } from "../../shell/gates/freeze-contract.ts";
import { withProjectCriteria } from "../../shell/gates/project-criteria.ts";
import type { Machine } from "../../shell/machine.ts";
import { gateKinds } from "../../shell/wire.ts";
import { costWarnings } from "./load-run-settings.ts";

/** What a start would do: what done means, the first turn, and what it would warn of. */
export type StartPlan = {
  frozen: ContractedRun;
  plan: RunPlan;
  warnings: string[];
  /** Why processes that turns leave may outlive them; null: a PID namespace holds them. */
  uncontained: string | null;
};

/** Plans a start. Starts and stores nothing. */
export async function planStart(
  machine: Pick<Machine, "agents" | "disk" | "env" | "processes">,
  given: FrozenRun,
): Promise<StartPlan> {
  const frozen = await contractOf(machine, given);
  const uncontained = await uncontainedReason(machine.processes, frozen);
  return { frozen, plan: await planRun(machine, frozen), warnings: costWarnings(machine, frozen), uncontained };
}

/** The run with what done means for it, as its start would freeze it. */
export async function contractOf({ disk }: Pick<Machine, "disk">, given: FrozenRun): Promise<ContractedRun> {
  return freezeContract(gateKinds, await withProjectCriteria(disk, given));
}
