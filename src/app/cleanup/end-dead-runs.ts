import { closeLeftRuns, endLeftovers } from "../../shell/drivers/recover.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { drivenOf } from "../query/find/is-driven.ts";
import { supervisedFrom } from "../query/find/runs-of.ts";

/**
 * Ends what dead drivers of a directory left alive, also in work trees and of supervised tasks that were started from it, and
 * returns the newest of the runs that work in it.
 */
export async function endDeadRuns(
  machine: Machine,
  directory: string,
  say: (line: string) => void,
): Promise<RunRecord | null> {
  const own = await machine.store.list({ directory, limit: 20 });
  const dead = await deadOf(machine, [...own, ...(await supervisedFrom(machine, directory))]);
  for (const run of dead) {
    const roles =
      run.frozen.work === undefined ? [] : await machine.store.list({ directory: null, limit: null, parentId: run.id });
    for (const each of [run, ...(await deadOf(machine, roles))]) {
      const { ended } = await endLeftovers(machine, each);
      await closeLeftRuns(machine, each.frozen);
      if (ended > 0) say(`Ended ${ended} processes that run ${each.id} left behind.`);
    }
  }
  return dead.find((run) => run.parentId === null && run.directory === directory) ?? null;
}

/** Those that have no outcome and no living driver. */
async function deadOf(machine: Machine, runs: readonly RunRecord[]): Promise<RunRecord[]> {
  const driven = await drivenOf(machine, runs);
  return runs.filter((run) => run.outcome === null && !driven.includes(run));
}
