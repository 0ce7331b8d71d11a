import { createInterface } from "node:readline/promises";
import { endLeftovers } from "../../../shell/drivers/recover.ts";
import { resumeRun, type RunConnection, type RunEnd } from "../../../shell/drivers/start-run.ts";
import { resumeWork, type WorkEnd } from "../../../shell/drivers/work/work-driver.ts";
import type { WorkConnection } from "../../../shell/drivers/work/work-task.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { exactStream } from "../terminal/guard-output.ts";

/**
 * A run whose driver was killed is never silently forgotten: what it left alive is ended, then a person at a terminal
 * may go on with it; elsewhere a line says how. Resolves with its end when it was resumed, else null.
 */
export async function offerUnfinished(
  machine: Machine,
  directory: string,
  connection: RunConnection,
): Promise<RunEnd | null> {
  const newest = await cutOff(machine, directory);
  if (newest === null || !(await isToGoOn(newest, newest.frozen.work === undefined))) return null;
  return resumeRun(machine, { runId: newest.id, answer: null, change: {} }, connection);
}

/** The same for a work; a run of another kind is only named. */
export async function offerUnfinishedWork(
  machine: Machine,
  directory: string,
  connection: WorkConnection,
): Promise<WorkEnd | null> {
  const newest = await cutOff(machine, directory);
  if (newest === null || !(await isToGoOn(newest, newest.frozen.work !== undefined))) return null;
  return resumeWork(machine, { runId: newest.id, help: { answer: null, more: null }, change: {} }, connection);
}

/** Ends what dead drivers of this directory left alive, also in work trees, and returns the newest of their runs. */
async function cutOff(machine: Machine, directory: string): Promise<RunRecord | null> {
  const runs = await machine.store.list({ directory, limit: 20 });
  const isDead = (run: RunRecord): boolean =>
    run.outcome === null && (run.owner === null || !machine.isOwnerAlive(run.owner));
  const dead = runs.filter(isDead);
  for (const run of dead) {
    const roles =
      run.frozen.work === undefined ? [] : await machine.store.list({ directory: null, limit: null, parentId: run.id });
    for (const each of [run, ...roles.filter(isDead)]) {
      const { ended } = await endLeftovers(machine, each);
      if (ended > 0) process.stderr.write(`Ended ${ended} processes that run ${each.id} left behind.\n`);
    }
  }
  return dead.find(({ parentId }) => parentId === null) ?? null;
}

async function isToGoOn({ id, frozen, state }: RunRecord, isSameKind: boolean): Promise<boolean> {
  const sentence =
    frozen.work === undefined ? `Run ${id} was cut off in iteration ${state.iteration}.` : `Work ${id} was cut off.`;
  if (isSameKind && process.stdin.isTTY && process.stderr.isTTY && (await isWanted(sentence))) return true;
  process.stderr.write(`${sentence} Go on with it: ralph resume ${id}\n`);
  return false;
}

async function isWanted(sentence: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: exactStream(process.stderr) });
  try {
    const answer = await terminal.question(`${sentence} Go on with it? (Y/n): `);
    return !/^n/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
