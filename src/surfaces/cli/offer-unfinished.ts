import { createInterface } from "node:readline/promises";
import { endLeftovers } from "../../shell/drivers/recover.ts";
import { resumeRun, type RunConnection, type RunEnd } from "../../shell/drivers/start-run.ts";
import type { Machine } from "../../shell/machine.ts";

/**
 * A run whose driver was killed is never silently forgotten: what it left alive is ended, then a person at a terminal
 * may go on with it; elsewhere a line says how. Resolves with its end when it was resumed, else null.
 */
export async function offerUnfinished(
  machine: Machine,
  directory: string,
  connection: RunConnection,
): Promise<RunEnd | null> {
  const runs = await machine.store.list({ directory, limit: 20 });
  const dead = runs.filter((run) => run.outcome === null && (run.owner === null || !machine.isOwnerAlive(run.owner)));
  for (const run of dead) {
    const { ended } = await endLeftovers(machine, run);
    if (ended > 0) process.stderr.write(`Ended ${ended} processes that run ${run.id} left behind.\n`);
  }
  const [newest] = dead;
  if (newest === undefined) return null;
  const sentence = `Run ${newest.id} was cut off in iteration ${newest.state.iteration}.`;
  if (process.stdin.isTTY && process.stderr.isTTY && (await isWanted(sentence)))
    return resumeRun(machine, { runId: newest.id, answer: null, change: {} }, connection);
  process.stderr.write(`${sentence} Go on with it: ralph resume ${newest.id}\n`);
  return null;
}

async function isWanted(sentence: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${sentence} Go on with it? (Y/n): `);
    return !/^n/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
