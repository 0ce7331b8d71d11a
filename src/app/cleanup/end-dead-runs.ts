import { endLeftovers } from "../../shell/drivers/recover.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";

/** Ends what dead drivers of a directory left alive, also in work trees, and returns the newest of their runs. */
export async function endDeadRuns(
  machine: Machine,
  directory: string,
  say: (line: string) => void,
): Promise<RunRecord | null> {
  const runs = await machine.store.list({ directory, limit: 20 });
  const isDead = (run: RunRecord): boolean =>
    run.outcome === null && (run.owner === null || !machine.isOwnerAlive(run.owner));
  const dead = runs.filter(isDead);
  for (const run of dead) {
    const roles =
      run.frozen.work === undefined ? [] : await machine.store.list({ directory: null, limit: null, parentId: run.id });
    for (const each of [run, ...roles.filter(isDead)]) {
      const { ended } = await endLeftovers(machine, each);
      if (ended > 0) say(`Ended ${ended} processes that run ${each.id} left behind.`);
    }
  }
  return dead.find(({ parentId }) => parentId === null) ?? null;
}
