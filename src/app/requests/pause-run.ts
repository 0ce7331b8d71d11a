import { RalphError } from "../../core/ralph-error.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { readLineage } from "../../shell/processes/lineage.ts";
import type { Records } from "../../shell/wire-store.ts";
import { chooseRun } from "../query/find/choose-run.ts";
import { isDriven } from "../query/find/is-driven.ts";
import type { RunName, TargetContext } from "../query/find/target.ts";
import { askAndWait } from "./ask-and-wait.ts";
import { refuseOwnRun } from "./own-runs.ts";

/** Asks a living run to pause and waits until it has read that: the current operation finishes, nothing new starts. */
export async function pauseRun(machine: TargetContext & Records, name: RunName): Promise<RunRecord> {
  const run = await chooseRun(machine, name, (each) => isDriven(machine, each), {
    nothing: "There is no running run",
    inSession,
  });
  await refuseOwnRun({ ...machine, lineage: readLineage() }, run);
  if (!(await isDriven(machine, run)))
    throw new RalphError("not-found", `Run ${run.id} is not running.`, "There is nothing to pause.");
  await askAndWait(machine, run.id, "pause", (now) => now.state.isPauseAsked || now.outcome !== null);
  const [now = run] = await machine.store.find(run.id);
  return now;
}

function inSession(id: string): RalphError {
  return new RalphError(
    "not-found",
    `The run of session ${id} cannot be paused: its host drives it.`,
    `Interrupt the agent there, or end the run: ralph cancel ${id}`,
  );
}
