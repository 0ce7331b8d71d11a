import type { RunRecord } from "../../../shell/ports.ts";
import type { Records } from "../../../shell/wire-store.ts";
import { drivenOf, type Looker } from "../find/is-driven.ts";
import { newestOfTasks, runsOfWork } from "../find/role-runs.ts";
import { isOver, type RunSummary, summarise, withTasks } from "./run-summary.ts";
import { ownRunsMax, supervisedFrom } from "../find/runs-of.ts";
import { type Unusable, unusableSessions } from "../find/session-runs.ts";
import { sessionSummaries, summariseSession } from "./session-summary.ts";
import type { Target, TargetContext } from "../find/target.ts";

/** A run with its summary; a work run also with the newest role run of each task. */
export type StandingRun = { run: RunRecord; summary: RunSummary; children: StandingRun[] };

/** What `ralph status` shows. `unusable`: runs of a newer version, runs without a readable state, lost loops. */
export type Standing = { runs: StandingRun[]; sessions: RunSummary[]; unusable: Unusable[] };

type Sight = Pick<Records, "store"> & Looker;

/** Ended runs of one directory that are listed. */
const endedMax = 10;

/** Own runs of a directory that are read at first: mostly the ended ones that are listed are among them. */
const firstRuns = 12;

/** Running ones first, then the latest ended; null: those of all directories, every ended one. */
export async function standingOf(context: TargetContext, directory: string | null): Promise<Standing> {
  const { runs, limit } =
    directory === null
      ? await allRuns(context)
      : await latestRuns(context, directory, await elsewhere(context, directory));
  return {
    runs: await withChildren(context, runs),
    sessions: sessionSummaries(context.folder, directory, context.onProblem),
    unusable: [...(await context.store.listUnusable({ directory, limit })), ...unusableSessions(context.folder)],
  };
}

/** What is listed, and how many runs were looked at for it. */
type Listed = { runs: StandingRun[]; limit: number };

async function allRuns(machine: Sight): Promise<Listed> {
  const records = await machine.store.list({ directory: null, limit: null, isTop: true });
  const all = await standingRunsOf(machine, records);
  return { runs: [...all.filter(isLiving), ...all.filter((run) => !isLiving(run))], limit: ownRunsMax };
}

/** Supervised runs that were started here, and whoever is held, however old: both are few. */
async function elsewhere(machine: Sight, directory: string): Promise<RunRecord[]> {
  const held = await machine.store.list({ directory, limit: ownRunsMax, isTop: true, isHeld: true });
  return [...(await supervisedFrom(machine, directory)), ...held];
}

/** Reads only as many runs as are listed: a directory may have thousands. */
async function latestRuns(machine: Sight, directory: string, others: readonly RunRecord[]): Promise<Listed> {
  let known = -1;
  for (let limit = firstRuns; ; limit = Math.min(8 * limit, ownRunsMax)) {
    const own = await machine.store.list({ directory, limit, isTop: true });
    const records = new Map([...others, ...own].map((run) => [run.id, run]));
    const all = await standingRunsOf(machine, [...records.values()].toSorted(byCreation));
    const over = all.filter((run) => !isLiving(run));
    const isEnough = over.filter(({ run }) => own.includes(run)).length >= endedMax;
    if (isEnough || own.length === known || limit === ownRunsMax)
      return { runs: [...all.filter(isLiving), ...over.slice(0, endedMax)], limit };
    known = own.length;
  }
}

function byCreation(one: RunRecord, other: RunRecord): number {
  return other.createdAt - one.createdAt;
}

function isLiving({ summary }: StandingRun): boolean {
  return !isOver(summary);
}

/** The same for one run or session. */
export async function standingOfOne(machine: Sight, { run, session }: Target): Promise<Standing> {
  if (session !== undefined) return { runs: [], sessions: [summariseSession(session)], unusable: [] };
  return { runs: await withChildren(machine, await standingRunsOf(machine, [run])), sessions: [], unusable: [] };
}

async function standingRunsOf(machine: Sight, runs: readonly RunRecord[]): Promise<StandingRun[]> {
  const driven = await drivenOf(machine, runs);
  return runs.map((run) => ({ run, summary: summarise(run, driven.includes(run)), children: [] }));
}

/** Lists roles below their work run, the newest of each task. */
async function withChildren(machine: Sight, runs: StandingRun[]): Promise<StandingRun[]> {
  for (const each of runs) {
    if (each.run.frozen.work === undefined) continue;
    const tasks = await machine.store.listTasks(each.run.directory);
    each.summary = withTasks(each, tasks);
    const roles = newestOfTasks(await runsOfWork(machine, each.run));
    each.children = await standingRunsOf(machine, roles);
  }
  return runs;
}
