import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";
import { isDriven } from "./is-driven.ts";
import { readView } from "./read-view.ts";
import { renderRun, type WholeRun } from "./render-run.ts";
import { runJson } from "./run-json.ts";
import { summarise } from "./run-summary.ts";

/** The roles' runs on a task of this project, the oldest first, whichever work they belong to. */
export async function runsOfTask(machine: Pick<Records, "store">, directory: string, id: string): Promise<RunRecord[]> {
  const all = await machine.store.list({ directory: null, limit: null });
  return all.filter(({ frozen: { task } }) => task?.id === id && task.projectDir === directory).toReversed();
}

/** The children of a work, the oldest first. */
export async function runsOfWork(machine: Pick<Records, "store">, work: RunRecord): Promise<RunRecord[]> {
  if (work.frozen.work === undefined) return [];
  return (await machine.store.list({ directory: null, limit: null, parentId: work.id })).toReversed();
}

/** The newest run of each task: how far the work is with it. */
export function newestOfTasks(runs: readonly RunRecord[]): RunRecord[] {
  const newest = new Map(runs.map((run) => [run.frozen.task?.id ?? run.id, run]));
  return Array.from(newest.values());
}

/** Every verdict of these runs with its evidence (S2-14, CW-2O). */
export async function renderRoleRuns(machine: Records, runs: readonly RunRecord[]): Promise<string> {
  const texts: string[] = [];
  for (const run of runs) texts.push(renderRun(await wholeRun(machine, run)));
  return texts.join("\n");
}

/** The same for programs. */
export async function roleRunsJson(machine: Records, runs: readonly RunRecord[]): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const run of runs) all.push(runJson(await wholeRun(machine, run)));
  return all;
}

/** A run with all that is shown of it. */
export async function wholeRun(machine: Records, run: RunRecord): Promise<WholeRun> {
  const summary = summarise(run, isDriven(machine, run));
  return { run, summary, view: await readView(machine, run), folder: machine.folder };
}
