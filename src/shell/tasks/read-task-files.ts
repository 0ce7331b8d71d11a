import { RalphError } from "../../core/ralph-error.ts";
import type { TaskSource } from "../../core/tasks/plan-import.ts";
import type { Disk } from "../ports.ts";
import { parseTasks } from "./task-files.ts";

/** Reads all files, or throws for the first that cannot be read; `-` is standard input. */
export async function readTaskFiles(
  paths: readonly string[],
  place: { disk: Pick<Disk, "readText">; readStdin: () => Promise<string> },
): Promise<TaskSource[]> {
  const sources: TaskSource[] = [];
  for (const path of paths)
    sources.push(
      path === "-"
        ? parseTasks(await place.readStdin(), "standard input")
        : parseTasks(await readPath(path, place), path),
    );
  return sources;
}

async function readPath(path: string, { disk }: { disk: Pick<Disk, "readText"> }): Promise<string> {
  const text = await disk.readText(path).catch((cause: unknown) => {
    if (cause instanceof RalphError) throw cause;
    throw new RalphError("task", `${path} cannot be read (${String(cause)}).`, "Give a YAML or JSON file.", cause);
  });
  if (text === null) throw new RalphError("task", `There is no file ${path}.`, "Give a YAML or JSON file with tasks.");
  return text;
}
