import { text } from "node:stream/consumers";
import { formatUsd } from "../../../core/agents/format-spend.ts";
import { unknownSpend } from "../../../core/agents/spend.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { writeTask } from "../../../core/tasks/write-task.ts";
import type { Machine } from "../../../shell/machine.ts";
import { askForTasks, requireSpecification } from "../../../app/tasks/ask-for-tasks.ts";
import { taskText } from "../../../app/tasks/task-text.ts";
import type { Generated } from "../../../shell/tasks/generate-tasks.ts";
import { wire } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { DialogueEnded, openDialogue } from "../input/dialogue.ts";
import { cleanLines, cleanText } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { summary } from "./import.ts";

const interruptedCode = 130;

/** `ralph task generate`: tasks with criteria out of a specification, shown before they are stored. */
export default async function generate({ options }: Input): Promise<number> {
  const directory = projectDirOption(options);
  const path = textOption(options, "file");
  if (path === null)
    throw new RalphError("usage", "A specification is missing.", "Give its file: ralph task generate -f spec.md");
  const machine = await wire();
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  for (const name of endingSignals) process.on(name, interrupt);
  try {
    const file = path === "-" ? await text(process.stdin) : await machine.disk.readText(path);
    const asked = await askForTasks(machine, {
      directory,
      specification: requireSpecification(file, path),
      given: readSettingFlags(options),
      signal: stop.signal,
      onAsk: (command) => process.stderr.write(cleanLines([`Asking ${command} for tasks…`])),
    });
    process.stderr.write(spendLine(asked));
    if (stop.signal.aborted) return interruptedCode;
    if (asked.isTreeChanged)
      process.stderr.write("ralph: files of the project changed while the agent answered; look at them.\n");
    return await conclude(machine, { directory, options, path }, asked);
  } finally {
    for (const name of endingSignals) process.off(name, interrupt);
    await machine.store.close();
  }
}

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Text mode reports no price, and an unknown price is never shown as zero. */
function spendLine({ asked }: Generated): string {
  return `Asked the agent ${asked === 1 ? "once" : "twice"} (${formatUsd(unknownSpend)}).\n`;
}

type Place = { directory: string; options: Options; path: string };

async function conclude(machine: Machine, place: Place, generated: Generated): Promise<number> {
  if ("problems" in generated)
    throw new RalphError(
      "task",
      `The agent's tasks cannot be used:\n${generated.problems}`,
      "Nothing was stored. Make the specification clearer, or write the tasks by hand: docs/guide/tasks.md",
    );
  const { plan, asked } = generated;
  const tasks = plan.writes.map(({ task }) => task);
  const isJson = isOn(place.options, "json");
  if (!isJson) process.stdout.write(cleanText(taskText(tasks, "yaml")));
  const isStored = isOn(place.options, "yes") || (!isJson && (await isWanted(tasks.length)));
  if (isStored === null) return interruptedCode;
  if (isStored) await machine.store.putTasks(place.directory, plan.writes);
  if (isJson) process.stdout.write(jsonResult({ isStored, asked, spend: unknownSpend, tasks: tasks.map(writeTask) }));
  process.stderr.write(isStored ? summary(plan, false) : notStored(place));
  return 0;
}

function notStored({ path }: Place): string {
  return cleanLines([
    `Nothing was stored. Store them with: ralph task generate -f ${path} --yes, or save what is shown and import it.`,
  ]);
}

/** Without a terminal nothing is stored. Null: Ctrl-C instead of an answer. */
async function isWanted(count: number): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const dialogue = openDialogue(process.stdin, process.stderr);
  try {
    return /^y(?:es)?$/i.test(
      await dialogue.ask(`Store ${count === 1 ? "this task" : `these ${count} tasks`}? (y/N): `),
    );
  } catch (error) {
    if (!(error instanceof DialogueEnded)) throw error;
    process.stderr.write("\nNothing was stored.\n");
    return null;
  } finally {
    dialogue.close();
  }
}
