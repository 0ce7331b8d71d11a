import { RalphError } from "../../core/ralph-error.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { runsOf } from "./runs-of.ts";

/** How a run is named: by its id or the beginning of it, else by the directory it works in. */
export type RunName = { id: string } | { directory: string };

/** The named run: by id or its beginning, else the newest of the directory that `isMeant`. */
export async function chooseRun(
  machine: Pick<Machine, "store">,
  name: RunName,
  isMeant: (run: RunRecord) => boolean,
  nothing: string,
): Promise<RunRecord> {
  if ("id" in name) return namedRun(machine, name.id);
  const { directory } = name;
  const newest = (await runsOf(machine, directory)).find(isMeant);
  if (newest === undefined)
    throw new RalphError("not-found", `${nothing} in ${directory}.`, "`ralph status --all` lists every run.");
  return newest;
}

async function namedRun(machine: Pick<Machine, "store">, id: string): Promise<RunRecord> {
  const runs = await machine.store.find(id);
  const [run] = runs;
  if (run === undefined)
    throw new RalphError("not-found", `There is no run "${id}".`, "`ralph status --all` lists every run.");
  if (runs.length > 1)
    throw new RalphError(
      "not-found",
      `"${id}" is the beginning of ${runs.length} runs: ${runs.map((each) => each.id).join(", ")}.`,
      "Give more of the id.",
    );
  return run;
}
