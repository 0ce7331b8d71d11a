import { RalphError } from "../../../core/ralph-error.ts";
import type { ImportPlan } from "../../../core/tasks/plan-import.ts";
import type { Task } from "../../../core/tasks/task.ts";
import { writeTask } from "../../../core/tasks/write-task.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { type Records, wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, type Options, projectDirOption } from "../input/read-input.ts";
import { hasDefinitionFlags, withFlags } from "./definition-flags.ts";
import { editDocument, type EditedDocuments, keepText } from "../../../app/tasks/edit-document.ts";
import { editTask } from "../../../app/tasks/edit-task.ts";
import { knownTask } from "../../../app/tasks/known-task.ts";
import { toldSettings } from "./told-settings.ts";
import { taskJson } from "../../../app/query/task-json.ts";

/** `ralph task edit`: a new version for the next run; an active run keeps the version it began with. */
export default async function edit(input: Input): Promise<number> {
  const { options } = input;
  const directory = projectDirOption(options);
  const machine = await wireStore();
  try {
    const task = knownTask(await machine.store.listTasks(directory), input.arguments[0] ?? "");
    const place = { machine, directory, options };
    const edited = await editedDocuments(place, task);
    const plan = await editTask(machine, directory, { task, documents: edited.documents }).catch((error: unknown) =>
      keepText(error, edited.path),
    );
    await edited.discard();
    await tell(place, task, plan);
    return 0;
  } finally {
    await machine.store.close();
  }
}

type Place = { machine: Records; directory: string; options: Options };

/** From flags, else from the person's editor. */
async function editedDocuments({ machine, directory, options }: Place, task: Task): Promise<EditedDocuments> {
  if (hasDefinitionFlags(options)) {
    const { work } = await toldSettings(machine, directory);
    const document = withFlags(writeTask(task), options, work.promises);
    return { documents: [document], path: null, discard: () => Promise.resolve() };
  }
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new RalphError(
      "usage",
      "There is nothing to change, and no terminal for an editor.",
      `Give a flag such as --priority 1, or edit a file: ralph task show ${task.id} --format yaml`,
    );
  // Only an editor needs what starts programs.
  const { wireProgram } = await import("../../../shell/wire.ts");
  return editDocument({ env: machine.env, processes: wireProgram().processes }, task);
}

async function tell({ machine, directory, options }: Place, before: Task, plan: ImportPlan): Promise<void> {
  const tasks = await machine.store.listTasks(directory);
  const task = knownTask(tasks, before.id);
  if (isOn(options, "json"))
    return void process.stdout.write(jsonResult(taskJson(task, tasks, await toldSettings(machine, directory))));
  if (plan.replaced.length === 0) return void process.stdout.write(`Task ${task.id} is as it was.\n`);
  const sentences = [
    `Task ${task.id} has version ${task.version} now.`,
    ...(task.status === "running" ? [`The active run keeps version ${before.version}.`] : []),
    ...(before.status !== task.status ? [`It was ${before.status} and is ${task.status} again.`] : []),
  ];
  process.stdout.write(cleanLines([sentences.join(" ")]));
}
