import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { planRun, type RunPlan } from "../../shell/drivers/plan-run.ts";
import { type ContractedRun, freezeContract } from "../../shell/gates/freeze-contract.ts";
import { withProjectCriteria } from "../../shell/gates/project-criteria.ts";
import type { Machine } from "../../shell/machine.ts";
import { gateKinds } from "../../shell/wire.ts";

/** What a start would do: what done means, and the first turn. */
export type StartPlan = { frozen: ContractedRun; plan: RunPlan };

/** Plans a start. Starts and stores nothing. */
export async function planStart(
  machine: Pick<Machine, "agents" | "disk" | "env">,
  given: FrozenRun,
): Promise<StartPlan> {
  const frozen = await contractOf(machine, given);
  return { frozen, plan: await planRun(machine, frozen) };
}

/** The run with what done means for it, as its start would freeze it. */
export async function contractOf({ disk }: Pick<Machine, "disk">, given: FrozenRun): Promise<ContractedRun> {
  return freezeContract(gateKinds, await withProjectCriteria(disk, given));
}
