import { setTimeout as wait } from "node:timers/promises";
import type { RunRecord } from "../../../shell/ports.ts";
import { type Records, wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../command-tree.ts";
import { isDriven } from "../is-driven.ts";
import { isOn, runDirOption } from "../read-input.ts";
import { newestOfTasks, runsOfWork } from "../role-runs.ts";
import { type RunSummary, statusLine, summarise, workLine } from "../run-summary.ts";
import { sessionLine, sessionSummaries } from "../session-summary.ts";

/** Ended runs shown without `--all`. */
const endedMax = 10;

/** `ralph status`: running ones first, then the latest ended. */
export default async function status({ options }: Input): Promise<number> {
  const directory = isOn(options, "all") ? null : runDirOption(options);
  const machine = await wireStore();
  const isWatching = isOn(options, "watch") && !isOn(options, "json");
  for (;;) {
    const text = isOn(options, "json") ? await asJson(machine, directory) : await asLines(machine, directory);
    process.stdout.write(isWatching && process.stdout.isTTY ? `\u001B[H\u001B[2J${text}` : text);
    if (!isWatching) break;
    await wait(1000);
  }
  await machine.store.close();
  return 0;
}

async function asJson(machine: Records, directory: string | null): Promise<string> {
  const runs = await shownRuns(machine, directory);
  const all = runs.map(({ run, summary, children }) =>
    run.frozen.work === undefined ? summary : { ...summary, children: children.map((child) => child.summary) },
  );
  return `${JSON.stringify({ runs: [...sessionSummaries(machine.folder, directory), ...all] })}\n`;
}

async function asLines(machine: Records, directory: string | null): Promise<string> {
  const runs = await shownRuns(machine, directory);
  const sessions = sessionSummaries(machine.folder, directory);
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
  return lines.map((line) => `${line}\n`).join("");
}

type Shown = { run: RunRecord; summary: RunSummary; children: Shown[] };

/** Roles stand below the work they belong to, the newest of each task. */
async function shownRuns(machine: Records, directory: string | null): Promise<Shown[]> {
  const records = await machine.store.list({ directory, limit: directory === null ? null : 1000 });
  const shown = (run: RunRecord): Shown => ({ run, summary: summarise(run, isDriven(machine, run)), children: [] });
  const all = records.filter(({ parentId }) => parentId === null).map(shown);
  const ended = all.filter(({ summary }) => summary.state === "ended");
  const chosen = [
    ...all.filter(({ summary }) => summary.state !== "ended"),
    ...(directory === null ? ended : ended.slice(0, endedMax)),
  ];
  for (const each of chosen) each.children = newestOfTasks(await runsOfWork(machine, each.run)).map(shown);
  return chosen;
}
