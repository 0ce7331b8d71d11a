import type { ContractGate, ContractSources } from "./contract.ts";
import type { HeldOutCheck } from "./held-out-check.ts";
import { isSealed } from "./sealed.ts";

/** The kind of the gate whose checks the agent never sees. */
export const heldOutKind = "held-out";

/** The id of the only such gate of a run; it finds the gate's memory. */
export const heldOutGateId = "held-out";

/** What the gate asks: everything but where files came from, so that it is part of the contract's hash. */
export type HeldOutSpec = { checks: Omit<HeldOutCheck, "tasks">[] };

/** On a claim that every other check accepts: the checks that the agent has never seen. Without a seal there is no copy to run them in. */
export function heldOutGates(sources: ContractSources): ContractGate[] {
  const checks = heldOutOf(sources);
  if (checks.length === 0 || !isSealed(sources)) return [];
  const spec: HeldOutSpec = {
    checks: checks.map(({ name, command, files, hint }) => ({
      name,
      command,
      hint,
      files: files.map(({ path, hash }) => ({ path, hash })),
    })),
  };
  return [
    {
      id: heldOutGateId,
      kind: heldOutKind,
      name: `held-out: ${checks.map(({ name }) => name).join(", ")}`,
      when: "on-claim",
      isBeforeDelivery: true,
      isAlways: false,
      origin: "held-out checks of the project",
      limits: { wallMs: sources.settings.seal?.timeout ?? null },
      tells: "reason",
      spec,
    },
  ];
}

/** The checks that a run is held to: those of its task, and those that belong to none. */
function heldOutOf({ heldOut = [], taskId = null }: ContractSources): readonly HeldOutCheck[] {
  return heldOut.filter(({ tasks }) => tasks.length === 0 || (taskId !== null && tasks.includes(taskId)));
}
