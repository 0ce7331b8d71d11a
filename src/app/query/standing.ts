import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";
import { drivenOf, type Looker } from "./is-driven.ts";
import { newestOfTasks, runsOfWork } from "./role-runs.ts";
import { isOver, type RunSummary, summarise } from "./run-summary.ts";
import { runsOf } from "./runs-of.ts";
import { type Unusable, unusableSessions } from "./session-runs.ts";
import { sessionSummaries, summariseSession } from "./session-summary.ts";
import type { Target, TargetContext } from "./target.ts";

/** A run with its summary; a work run also with the newest role run of each task. */
export type StandingRun = { run: RunRecord; summary: RunSummary; children: StandingRun[] };

/** What `ralph status` shows. `unusable`: runs of a newer version, runs without a readable state, lost loops. */
export type Standing = { runs: StandingRun[]; sessions: RunSummary[]; unusable: Unusable[] };

type Sight = Pick<Records, "store"> & Looker;

/** Ended runs of one directory that are listed. */
const endedMax = 10;

/** Running ones first, then the latest ended; null: those of all directories, every ended one. */
export async function standingOf(context: TargetContext, directory: string | null): Promise<Standing> {
  return {
    runs: await standingRuns(context, directory),
    sessions: sessionSummaries(context.folder, directory, context.onProblem),
    unusable: [...(await context.store.listUnusable({ directory, limit: 1000 })), ...unusableSessions(context.folder)],
  };
}

/** The same for one run or session. */
export async function standingOfOne(machine: Sight, { run, session }: Target): Promise<Standing> {
  if (session !== undefined) return { runs: [], sessions: [summariseSession(session)], unusable: [] };
  return { runs: await withChildren(machine, await standingRunsOf(machine, [run])), sessions: [], unusable: [] };
}

/** Lists roles below their work run, the newest of each task. */
async function standingRuns(machine: Sight, directory: string | null): Promise<StandingRun[]> {
  const own = await machine.store.list({ directory, limit: directory === null ? null : 1000 });
  const records = own.length > 0 || directory === null ? own : await runsOf(machine, directory);
  const parents = records.filter(({ parentId }) => parentId === null);
  const all = await standingRunsOf(machine, parents);
  const ended = all.filter(({ summary }) => isOver(summary));
  const chosen = [
    ...all.filter(({ summary }) => !isOver(summary)),
    ...(directory === null ? ended : ended.slice(0, endedMax)),
  ];
  return withChildren(machine, chosen);
}

async function standingRunsOf(machine: Sight, runs: readonly RunRecord[]): Promise<StandingRun[]> {
  const driven = await drivenOf(machine, runs);
  return runs.map((run) => ({ run, summary: summarise(run, driven.includes(run)), children: [] }));
}

async function withChildren(machine: Sight, runs: StandingRun[]): Promise<StandingRun[]> {
  for (const each of runs) {
    const roles = newestOfTasks(await runsOfWork(machine, each.run));
    each.children = await standingRunsOf(machine, roles);
  }
  return runs;
}
