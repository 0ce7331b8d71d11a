import { type ResumeOrder, resumeRun as driveOn, type RunConnection, type RunEnd } from "../shell/drivers/start-run.ts";
import type { Machine } from "../shell/machine.ts";
import { readLineage } from "../shell/processes/lineage.ts";
import { refuseOwnRun } from "./requests/own-runs.ts";

/**
 * Takes a dead or ended run and continues where it stopped. Rejects with code `own-run` inside a turn of that run.
 *
 * @example
 * ```ts no-run
 * import { resumeRun, type RunConnection, wire } from "ralph";
 *
 * const connection: RunConnection = {
 *   sink: { entry: () => {}, agentEvent: () => {} },
 *   onRequest: () => () => {},
 *   onCheck: () => {},
 *   onStderr: () => undefined,
 *   onTaken: ({ id }) => console.log(id),
 * };
 * const machine = await wire();
 * const end = await resumeRun(machine, { runId: "20261116-120000-abcd", answer: "Yes.", change: {} }, connection);
 * console.log(end.state.outcome?.name);
 * await machine.store.close();
 * ```
 */
export async function resumeRun(machine: Machine, order: ResumeOrder, connection: RunConnection): Promise<RunEnd> {
  await refuseOwnRun({ ...machine, lineage: readLineage() }, { id: order.runId });
  return driveOn(machine, order, connection);
}
