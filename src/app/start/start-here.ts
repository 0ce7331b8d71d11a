import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { Outcome } from "../../core/run/outcome.ts";
import { outcomeOf } from "../../shell/drivers/outer-driver.ts";
import { resumeRun, type RunConnection, type RunEnd, startRun } from "../../shell/drivers/start-run.ts";
import type { Machine } from "../../shell/machine.ts";
import { launch, type Launch } from "./launch.ts";

/** How a run ended. */
export type EndedRun = { id: string; outcome: Outcome };

/** What a start needs beside the run itself. */
export type StartHereOptions = Pick<Launch<EndedRun>, "talk" | "isDirtyAllowed" | "prepare"> & {
  frozen: FrozenRun;
  /** The id of the new run; one is made where none is given. */
  id?: string;
};

/** Starts a run of any kind but `work` in this process, or resumes the one that was cut off, and drives it to its end. */
export function startHere(machine: Machine, options: StartHereOptions, connection: RunConnection): Promise<EndedRun> {
  const { frozen, id } = options;
  const child = id === undefined ? null : { id, parentId: null };
  return launch(machine, {
    ...options,
    start: async () => ended(await startRun(machine, frozen, connection, child)),
    resume: async (runId) => ended(await resumeRun(machine, { runId, answer: null, change: {} }, connection)),
  });
}

function ended({ id, state }: RunEnd): EndedRun {
  return { id, outcome: outcomeOf(state) };
}
