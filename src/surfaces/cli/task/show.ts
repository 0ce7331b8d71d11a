import { RalphError } from "../../../core/ralph-error.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { writeExact } from "../terminal/guard-output.ts";
import { isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";
import { wholeTask } from "../../../app/query/whole-task.ts";
import { renderWholeTask } from "../views/render-whole-task.ts";
import { knownTask } from "../../../app/tasks/known-task.ts";
import { taskText } from "../../../app/tasks/task-text.ts";
import { toldSettings } from "./told-settings.ts";
import { renderTask } from "../views/render-task.ts";
import { taskJson } from "../../../app/query/task-json.ts";

/** `ralph task show`: criteria and progress of the named tasks, else of all; with `--format` a file to import again. */
export default async function show(input: Input): Promise<number> {
  const { options } = input;
  const format = formatOption(options);
  const directory = projectDirOption(options);
  const machine = await wireStore();
  const tasks = await machine.store.listTasks(directory);
  const ids = [...new Set(input.arguments)];
  const shown = ids.length === 0 ? tasks : ids.map((id) => knownTask(tasks, id));
  const [only] = shown;
  if (only === undefined)
    throw new RalphError("not-found", `There are no tasks in ${directory}.`, "Add some: ralph task import FILE");
  const isJson = isOn(options, "json");
  if (format !== null) {
    const file = taskText(shown, format);
    // A file gets the exact text; a terminal gets safe text.
    if (process.stdout.isTTY) process.stdout.write(file);
    else writeExact(process.stdout, file);
  } else if (ids.length === 1) {
    const whole = await wholeTask(machine, directory, only);
    process.stdout.write(renderWholeTask(whole, { isJson, now: machine.clock.now() }));
  } else {
    const settings = await toldSettings(machine, directory);
    const text = isJson
      ? jsonResult({ tasks: shown.map((task) => taskJson(task, tasks, settings)) })
      : shown.map((task) => renderTask({ task, tasks, settings })).join("\n");
    process.stdout.write(text);
  }
  await machine.store.close();
  return 0;
}

function formatOption(options: Options): "yaml" | "json" | null {
  const format = textOption(options, "format");
  if (format === null || format === "yaml" || format === "json") return format;
  throw new RalphError("usage", `--format takes yaml or json, found "${format}".`);
}
