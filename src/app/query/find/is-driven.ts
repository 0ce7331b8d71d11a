import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { isExpired } from "../../../shell/stores/lease-rule.ts";

/** Who looks at drivers: from which host, and at what time. */
export type Looker = Pick<Machine, "isOwnerAlive" | "host" | "clock">;

/** Whether a run is driven by a living process. */
export async function isDriven(machine: Looker, run: RunRecord): Promise<boolean> {
  return run.outcome === null && (await isHeld(machine, run));
}

/** Those of `runs` that are driven by a living process. */
export async function drivenOf(machine: Looker, runs: readonly RunRecord[]): Promise<RunRecord[]> {
  const driven: RunRecord[] = [];
  for (const run of runs) if (await isDriven(machine, run)) driven.push(run);
  return driven;
}

/** Whether whoever took the run last still has it: here its process is looked at, elsewhere the lease decides. */
export async function isHeld(machine: Looker, run: Pick<RunRecord, "owner" | "expiresAt">): Promise<boolean> {
  if (run.owner === null) return false;
  return run.owner.host === machine.host ? machine.isOwnerAlive(run.owner) : !isExpired(run, machine.clock.now());
}
