import { withVerified } from "../../core/work/open-work-state.ts";
import { resumeWork, startWork, type WorkEnd, type WorkStart } from "../../shell/drivers/work/work-driver.ts";
import type { WorkConnection } from "../../shell/drivers/work/work-connection.ts";
import type { Machine } from "../../shell/machine.ts";
import { launch } from "./launch.ts";
import type { StartHereOptions } from "./start-here.ts";

/** Starts a work run in this process, or resumes the one that was cut off, and drives it to its end. */
export async function startWorkHere(
  machine: Machine,
  options: StartHereOptions & Pick<WorkStart, "whenHeld">,
  connection: WorkConnection,
): Promise<WorkEnd> {
  const { frozen, id, whenHeld } = options;
  const how = { ...(id === undefined ? {} : { id }), ...(whenHeld === undefined ? {} : { whenHeld }) };
  const help = { answer: null, more: null };
  const end = await launch(machine, {
    ...options,
    start: () => startWork(machine, frozen, connection, how),
    resume: (runId) => resumeWork(machine, { runId, help, change: {} }, connection),
  });
  return { ...end, outcome: withVerified(end.outcome, end.state) };
}
