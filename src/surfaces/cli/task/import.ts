import { text } from "node:stream/consumers";
import type { ImportPlan } from "../../../core/tasks/plan-import.ts";
import { wireFiles, wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { cleanLines, cleanMessage } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";
import { storeTasks } from "../../../app/tasks/store-tasks.ts";
import { readTaskSources } from "../../../app/tasks/task-text.ts";

/** `ralph task import`: the tasks of all files together, or none of them. */
export default async function importTasks(input: Input): Promise<number> {
  const { options } = input;
  const directory = projectDirOption(options);
  const sources = await readTaskSources(wireFiles(), input.arguments, () => text(process.stdin));
  const machine = await wireStore();
  try {
    const isDry = isOn(options, "dryRun");
    const plan = await storeTasks(machine, { directory, sources, isReplacing: isOn(options, "replace"), isDry });
    for (const warning of plan.warnings) process.stderr.write(`ralph: ${cleanMessage(warning)}\n`);
    const { added, replaced, unchanged, warnings } = plan;
    const json = { isStored: !isDry, added, replaced, unchanged, warnings };
    process.stdout.write(isOn(options, "json") ? jsonResult(json) : summary(plan, isDry));
    return 0;
  } finally {
    await machine.store.close();
  }
}

/** What happened to each task. */
export function summary({ added, replaced, unchanged }: ImportPlan, isDry: boolean): string {
  const lines = [
    ...named(isDry ? "Would add" : "Added", added),
    ...named(isDry ? "Would make a new version of" : "New version of", replaced),
    ...named("Already there, unchanged", unchanged),
  ];
  return cleanLines(lines);
}

function named(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${what}: ${ids.join(", ")}`];
}
