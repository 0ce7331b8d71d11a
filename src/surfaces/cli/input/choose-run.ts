import { isFinal } from "../../../core/run/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { runDirOption } from "./read-input.ts";
import type { Input } from "./command-spec.ts";

/** The run a command means: by id or its beginning, else the newest of this directory that `isMeant`. */
export async function chooseRun(
  machine: Pick<Machine, "store">,
  input: Input,
  isMeant: (run: RunRecord) => boolean,
  nothing: string,
): Promise<RunRecord> {
  const [id] = input.arguments;
  if (id !== undefined) return namedRun(machine, id);
  const directory = runDirOption(input.options);
  const newest = (await runsOf(machine, directory)).find(isMeant);
  if (newest === undefined)
    throw new RalphError("not-found", `${nothing} in ${directory}.`, "`ralph status --all` lists every run.");
  return newest;
}

/**
 * The runs of a directory, newest first: those that work in it and, when none of them is open, supervised ones that were
 * started from it. A role run is found only by its id; without one, its work run is.
 */
export async function runsOf({ store }: Pick<Machine, "store">, directory: string): Promise<RunRecord[]> {
  const own = (await store.list({ directory, limit: ownRunsMax })).filter(({ parentId }) => parentId === null);
  if (own.some(({ outcome }) => outcome === null)) return own;
  const others = await store.list({ directory: null, limit: otherRunsMax });
  const supervised = others.filter(
    (run) => run.directory !== directory && run.frozen.supervised != null && run.frozen.projectDir === directory,
  );
  return [...own, ...supervised].toSorted((one, other) => other.createdAt - one.createdAt);
}

const ownRunsMax = 1000;

/** Fewer: the start directory of a run is not indexed, so each run is read whole. */
const otherRunsMax = 200;

/** Not final: it could still go on. A session run goes on in its session alone. */
export function isUnfinished(run: RunRecord): boolean {
  return run.kind !== "session" && (run.outcome === null || !isFinal(run.outcome));
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
