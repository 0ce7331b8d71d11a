import { jsonResult } from "../../../core/text/json-text.ts";
import { setTimeout as wait } from "node:timers/promises";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { type Records, wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { writeExact } from "../terminal/guard-output.ts";
import { isOn, runDirOption } from "../input/read-input.ts";
import { type Standing, standingOf, standingOfOne } from "../../../app/query/summary/standing.ts";
import { namedTarget, type TargetContext } from "../../../app/query/find/target.ts";
import { importEnded } from "../input/import-ended.ts";
import { tellOthers, tellProblem } from "../input/tell.ts";
import { statusWidth } from "../terminal/status-width.ts";
import { renderStatus } from "../views/render-status.ts";

/** `ralph status`: running ones first, then the latest ended; or only the one that is named. */
export default async function status({ arguments: given, options }: Input): Promise<number> {
  const id = given[0] ?? null;
  const directory = isOn(options, "all") || id !== null ? null : runDirOption(options);
  const machine = await wireStore();
  await importEnded(machine);
  const isWatching = isOn(options, "watch") && !isOn(options, "json");
  const place = { ...machine, onProblem: tellProblem };
  for (;;) {
    const standing = id === null ? await standingOf(place, directory) : await standingOfNamed(place, id);
    for (const { problem } of standing.unusable) process.stderr.write(cleanLines([`ralph: ${problem}`]));
    const text = isOn(options, "json") ? asJson(standing) : asTable(standing, directory, machine.clock.now());
    if (isWatching && process.stdout.isTTY) writeExact(process.stdout, "\u001B[H\u001B[2J");
    process.stdout.write(text);
    if (!isWatching) break;
    await wait(1000);
  }
  await machine.store.close();
  return 0;
}

async function standingOfNamed(place: Records & TargetContext, id: string): Promise<Standing> {
  const target = await namedTarget(place, id);
  tellOthers(target);
  return standingOfOne(place, target);
}

function asJson({ runs, sessions, unusable }: Standing): string {
  const all = runs.map(({ run, summary, children }) =>
    run.frozen.work === undefined ? summary : { ...summary, children: children.map((child) => child.summary) },
  );
  const known = { runs: [...sessions, ...all] };
  return jsonResult(unusable.length === 0 ? known : { ...known, unusable });
}

function asTable(standing: Standing, directory: string | null, now: number): string {
  if (standing.runs.length + standing.sessions.length === 0)
    return `No runs${directory === null ? "" : ` in ${directory}`} yet. Start one: ralph run "Make the tests pass"\n`;
  // A supervised task that was started from here may be elsewhere.
  const hasProjects = directory === null || standing.runs.some(({ run }) => run.directory !== directory);
  return renderStatus(standing, { now, width: statusWidth(), hasProjects, hasCommands: true });
}
