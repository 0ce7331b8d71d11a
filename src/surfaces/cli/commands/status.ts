import { setTimeout as wait } from "node:timers/promises";
import { type Records, wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../command-tree.ts";
import { isDriven } from "../is-driven.ts";
import { isOn, runDirOption } from "../read-input.ts";
import { statusLine, summarise } from "../run-summary.ts";
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
  const sessions = sessionSummaries(machine.folder, directory);
  return `${JSON.stringify({ runs: [...sessions, ...runs.map(({ summary }) => summary)] })}\n`;
}

async function asLines(machine: Records, directory: string | null): Promise<string> {
  const runs = await shownRuns(machine, directory);
  const now = machine.clock.now();
  const sessions = sessionSummaries(machine.folder, directory).map((summary) => {
    const line = sessionLine(summary, now);
    return directory === null ? `${line}  ${summary.project}\n` : `${line}\n`;
  });
  if (runs.length + sessions.length === 0)
    return `No runs${directory === null ? "" : ` in ${directory}`} yet. Start one: ralph run -p "…"\n`;
  const lines = runs.map(({ run, summary }) => {
    const line = statusLine(run, summary, now);
    return directory === null ? `${line}  ${run.directory}\n` : `${line}\n`;
  });
  return [...sessions, ...lines].join("");
}

async function shownRuns(machine: Records, directory: string | null) {
  const records = await machine.store.list({ directory, limit: directory === null ? null : 1000 });
  const all = records.map((run) => ({ run, summary: summarise(run, isDriven(machine, run)) }));
  const ended = all.filter(({ summary }) => summary.state === "ended");
  return [
    ...all.filter(({ summary }) => summary.state !== "ended"),
    ...(directory === null ? ended : ended.slice(0, endedMax)),
  ];
}
