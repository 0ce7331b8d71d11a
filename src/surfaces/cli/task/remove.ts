import { removeTask } from "../../../app/tasks/remove-task.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";

/** `ralph task remove`: removes a task; one in progress or with dependents only with `--force`. */
export default async function remove(input: Input): Promise<number> {
  const { options } = input;
  const directory = projectDirOption(options);
  const [id = ""] = input.arguments;
  const machine = await wireStore();
  try {
    await removeTask(machine, directory, { id, isForced: isOn(options, "force") });
    process.stdout.write(isOn(options, "json") ? jsonResult({ removed: id }) : `Removed: ${id}\n`);
    return 0;
  } finally {
    await machine.store.close();
  }
}
