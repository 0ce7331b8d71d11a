import { jsonLine } from "../../../core/text/json-text.ts";
import { setTimeout as wait } from "node:timers/promises";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { RunRecord, UnusableRun } from "../../../shell/ports.ts";
import { type Records, wireStore } from "../../../shell/wire-store.ts";
import { runsOf } from "../input/choose-run.ts";
import { namedTarget } from "../input/choose-target.ts";
import type { Input } from "../input/command-spec.ts";
import { writeExact } from "../terminal/guard-output.ts";
import { isDriven } from "../../../app/query/is-driven.ts";
import { isOn, runDirOption } from "../input/read-input.ts";
import { newestOfTasks, runsOfWork } from "../../../app/query/role-runs.ts";
import { type RunSummary, statusLine, summarise, workLine } from "../../../app/query/run-summary.ts";
import { sessionLine, sessionSummaries, summariseSession } from "../../../app/query/session-summary.ts";
import { importEnded } from "../input/import-ended.ts";

/** Ended runs shown without `--all`. */
const endedMax = 10;

/** `ralph status`: running ones first, then the latest ended; or only the one that is named. */
export default async function status({ arguments: given, options }: Input): Promise<number> {
  const id = given[0] ?? null;
  const directory = isOn(options, "all") || id !== null ? null : runDirOption(options);
  const machine = await wireStore();
  await importEnded(machine);
  const isWatching = isOn(options, "watch") && !isOn(options, "json");
  for (;;) {
    const standing = await look(machine, directory, id);
    const text = isOn(options, "json") ? asJson(standing) : await asLines(machine, directory, standing);
    if (isWatching && process.stdout.isTTY) writeExact(process.stdout, "\u001B[H\u001B[2J");
    process.stdout.write(text);
    if (!isWatching) break;
    await wait(1000);
  }
  await machine.store.close();
  return 0;
}

type Standing = { runs: Shown[]; sessions: RunSummary[]; unusable: UnusableRun[] };

async function look(machine: Records, directory: string | null, id: string | null): Promise<Standing> {
  if (id === null)
    return {
      runs: await shownRuns(machine, directory),
      sessions: sessionSummaries(machine.folder, directory),
      unusable: await nameUnusable(machine, directory),
    };
  const { run, session } = await namedTarget(machine, id);
  if (session !== undefined) return { runs: [], sessions: [summariseSession(session)], unusable: [] };
  return { runs: await withChildren(machine, [shownRun(machine, run)]), sessions: [], unusable: [] };
}

function asJson({ runs, sessions, unusable }: Standing): string {
  const all = runs.map(({ run, summary, children }) =>
    run.frozen.work === undefined ? summary : { ...summary, children: children.map((child) => child.summary) },
  );
  const known = { runs: [...sessions, ...all] };
  return jsonLine(unusable.length === 0 ? known : { ...known, unusable });
}

/** Names runs of a newer version and runs without a readable state, so that nobody misses them. */
async function nameUnusable(machine: Records, directory: string | null): Promise<UnusableRun[]> {
  const unusable = await machine.store.listUnusable({ directory, limit: 1000 });
  for (const { problem } of unusable) process.stderr.write(cleanLines([`ralph: ${problem}`]));
  return unusable;
}

async function asLines(machine: Records, directory: string | null, { runs, sessions }: Standing): Promise<string> {
  if (runs.length + sessions.length === 0)
    return `No runs${directory === null ? "" : ` in ${directory}`} yet. Start one: ralph run -p "…"\n`;
  const now = machine.clock.now();
  const lines = sessions.map((summary) => {
    const line = sessionLine(summary, now);
    return directory === null ? `${line}  ${summary.project}` : line;
  });
  for (const { run, summary, children } of runs) {
    const isWork = run.frozen.work !== undefined;
    const tasks = isWork ? await machine.store.listTasks(run.directory) : [];
    const line = isWork ? workLine(run, summary, { tasks, now }) : statusLine(run, summary, now);
    lines.push(directory === null ? `${line}  ${run.directory}` : line);
    for (const child of children) lines.push(`  ${statusLine(child.run, child.summary, now)}`);
  }
  return cleanLines(lines);
}

type Shown = { run: RunRecord; summary: RunSummary; children: Shown[] };

/** Lists roles below their work run, the newest of each task. */
async function shownRuns(machine: Records, directory: string | null): Promise<Shown[]> {
  const own = await machine.store.list({ directory, limit: directory === null ? null : 1000 });
  const records = own.length > 0 || directory === null ? own : await runsOf(machine, directory);
  const all = records.filter(({ parentId }) => parentId === null).map((run) => shownRun(machine, run));
  const ended = all.filter(({ summary }) => summary.state === "ended");
  const chosen = [
    ...all.filter(({ summary }) => summary.state !== "ended"),
    ...(directory === null ? ended : ended.slice(0, endedMax)),
  ];
  return withChildren(machine, chosen);
}

function shownRun(machine: Records, run: RunRecord): Shown {
  return { run, summary: summarise(run, isDriven(machine, run)), children: [] };
}

async function withChildren(machine: Records, works: Shown[]): Promise<Shown[]> {
  for (const each of works) {
    const roles = newestOfTasks(await runsOfWork(machine, each.run));
    each.children = roles.map((run) => shownRun(machine, run));
  }
  return works;
}
