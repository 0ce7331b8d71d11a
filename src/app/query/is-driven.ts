import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";

/** Whether a run is driven by a living process. */
export function isDriven(machine: Pick<Machine, "isOwnerAlive">, run: RunRecord): boolean {
  return run.outcome === null && run.owner !== null && machine.isOwnerAlive(run.owner);
}
