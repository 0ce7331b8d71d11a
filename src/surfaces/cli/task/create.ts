import { RalphError } from "../../../core/ralph-error.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, listOption, projectDirOption, textOption } from "../input/read-input.ts";
import { withFlags } from "./definition-flags.ts";
import { tellStored } from "./tell-stored.ts";
import { toldSettings } from "./told-settings.ts";
import { storeTasks } from "../../../app/tasks/store-tasks.ts";

/** `ralph task create`: one task, whose criteria are fixed here and not when it runs (S2-06, S2-49, S2-50). */
export default async function create(input: Input): Promise<number> {
  const { options } = input;
  const [id, spec, title] = input.arguments;
  const directory = projectDirOption(options);
  if (textOption(options, "outcome") === null)
    throw new RalphError("usage", "A task needs an outcome.", 'Say it with --outcome "What is true when it is done".');
  if (listOption(options, "acceptance") === null)
    throw new RalphError("usage", "A task needs an acceptance criterion.", 'Give at least one: --acceptance "…".');
  const machine = await wireStore();
  try {
    const { work } = await toldSettings(machine, directory);
    const document = withFlags({ id, spec, title }, options, work.promises);
    const stored = await machine.store.listTasks(directory);
    if (stored.some((task) => task.id === id))
      throw new RalphError("task", `There is already a task ${id}.`, `Change it: ralph task edit ${id}`);
    const source = { name: "ralph task create", documents: [document] };
    await storeTasks(machine, { directory, sources: [source], isReplacing: false });
    await tellStored(machine, { directory, id: id ?? "", isJson: isOn(options, "json") });
    return 0;
  } finally {
    await machine.store.close();
  }
}
