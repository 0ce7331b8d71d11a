import { join } from "node:path";
import { isScaffoldPrd, isScaffoldTaskFile } from "../../core/prd/list/scaffold.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { createGit } from "../../shell/git/git.ts";
import type { Machine } from "../../shell/machine.ts";
import { archiveList, type ArchiveOptions, type ArchiveResult } from "../../shell/prd/folder/archive-list.ts";
import { refuseWhileActive } from "./refuse-while-active.ts";

/** A git that is being ended gets a moment to remove its locks. */
const killGraceMs = 5000;

/** Moves the list to the archive, commits it and creates a fresh one. Throws while a run is active, and for mere templates. */
export async function putListAway(
  { disk, processes, env }: Pick<Machine, "disk" | "processes" | "env">,
  options: ArchiveOptions,
): Promise<ArchiveResult> {
  const { projectDir, folder } = options;
  await refuseWhileActive(disk, projectDir);
  const read = async (name: string): Promise<string> => (await disk.readText(join(folder.path, name))) ?? "";
  if (isScaffoldTaskFile(await read("tasks.json")) && isScaffoldPrd(await read("prd.md")))
    throw new RalphError("usage", `${folder.name}/ holds only the templates: there is nothing to archive.`);
  const runId = `archive-${process.pid}`;
  const git = createGit({ runId, env, processes, disk, killGraceMs, frozen: { projectDir } }, { turnMarker: runId });
  return archiveList(disk, git, options);
}
