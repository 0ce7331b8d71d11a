import { isFinal } from "../../../core/run/outcome.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";

/**
 * The runs of a directory, newest first: those that work in it and supervised ones that were started from it. A role run is
 * found only by its id; without one, its work run is.
 */
export async function runsOf({ store }: Pick<Machine, "store">, directory: string): Promise<RunRecord[]> {
  const own = await store.list({ directory, limit: ownRunsMax, isTop: true });
  const supervised = await supervisedFrom({ store }, directory);
  return [...own, ...supervised].toSorted((one, other) => other.createdAt - one.createdAt);
}

/** Supervised runs that were started from a directory and whose task directory is elsewhere, newest first. */
export async function supervisedFrom({ store }: Pick<Machine, "store">, directory: string): Promise<RunRecord[]> {
  const all = await store.list({ directory: null, limit: supervisedMax, kind: "supervise" });
  return all.filter((run) => run.directory !== directory && run.frozen.projectDir === directory);
}

/** Runs of one directory that are looked at, at most. */
export const ownRunsMax = 1000;

/** Fewer: the start directory of a run is not indexed, so each run is read whole. */
const supervisedMax = 200;

/** Not final: it could still continue. A session run continues only in its session. */
export function isUnfinished(run: RunRecord): boolean {
  return run.kind !== "session" && (run.outcome === null || !isFinal(run.outcome));
}
