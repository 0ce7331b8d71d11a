import { type ResumeOrder, resumeRun as driveOn, type RunConnection, type RunEnd } from "../shell/drivers/start-run.ts";
import type { Machine } from "../shell/machine.ts";
import { readLineage } from "../shell/processes/lineage.ts";
import { refuseOwnRun } from "./own-runs.ts";

/** Takes a dead or ended run and goes on where it stopped. Rejects with code `own-run` inside a turn of that run. */
export async function resumeRun(machine: Machine, order: ResumeOrder, connection: RunConnection): Promise<RunEnd> {
  await refuseOwnRun({ ...machine, lineage: readLineage() }, { id: order.runId });
  return driveOn(machine, order, connection);
}
