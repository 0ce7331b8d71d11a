import { endLeftovers } from "../../shell/drivers/recover.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { drivenOf } from "../query/is-driven.ts";

/** Ends what dead drivers of a directory left alive, also in work trees, and returns the newest of their runs. */
export async function endDeadRuns(
  machine: Machine,
  directory: string,
  say: (line: string) => void,
): Promise<RunRecord | null> {
  const runs = await machine.store.list({ directory, limit: 20 });
  const dead = await deadOf(machine, runs);
  for (const run of dead) {
    const roles =
      run.frozen.work === undefined ? [] : await machine.store.list({ directory: null, limit: null, parentId: run.id });
    for (const each of [run, ...(await deadOf(machine, roles))]) {
      const { ended } = await endLeftovers(machine, each);
      if (ended > 0) say(`Ended ${ended} processes that run ${each.id} left behind.`);
    }
  }
  return dead.find(({ parentId }) => parentId === null) ?? null;
}

/** Those that have no outcome and no living driver. */
async function deadOf(machine: Machine, runs: readonly RunRecord[]): Promise<RunRecord[]> {
  const driven = await drivenOf(machine, runs);
  return runs.filter((run) => run.outcome === null && !driven.includes(run));
}
