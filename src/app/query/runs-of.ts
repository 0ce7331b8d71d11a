import { isFinal } from "../../core/run/outcome.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";

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

/** Not final: it could still continue. A session run continues only in its session. */
export function isUnfinished(run: RunRecord): boolean {
  return run.kind !== "session" && (run.outcome === null || !isFinal(run.outcome));
}
