import { join } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { isScaffoldPrd, isScaffoldTaskFile } from "../../../core/prd/list/scaffold.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { archiveList, type ArchiveResult } from "../../../shell/prd/folder/archive-list.ts";
import { createGit } from "../../../shell/git/git.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, textOption } from "../input/read-input.ts";
import { existingPrdContext, today } from "./prd-context.ts";
import { refuseWhileActive } from "../../../app/prd/refuse-while-active.ts";

/** A git that is being ended gets a moment to remove its locks. */
const killGraceMs = 5000;

/** `ralph prd archive`: moves the list to `ralph-archive/` with a summary and creates a fresh one. */
export default async function archive({ options }: Input): Promise<number> {
  const { projectDir, folder } = existingPrdContext(options);
  const { disk, processes, env } = wireProgram();
  await refuseWhileActive(disk, projectDir);
  const read = async (name: string): Promise<string> => (await disk.readText(join(folder.path, name))) ?? "";
  if (isScaffoldTaskFile(await read("tasks.json")) && isScaffoldPrd(await read("prd.md")))
    throw new RalphError("usage", `${folder.name}/ holds only the templates: there is nothing to archive.`);
  const runId = `archive-${process.pid}`;
  const git = createGit({ runId, env, processes, disk, killGraceMs, frozen: { projectDir } }, { turnMarker: runId });
  const label = textOption(options, "label");
  const result = await archiveList(disk, git, { projectDir, folder, label, date: today() });
  if (isOn(options, "json")) {
    process.stdout.write(jsonResult(result));
    return 0;
  }
  process.stdout.write(cleanLines([result.folder]));
  process.stderr.write(cleanLines([commitText(result), `${folder.name}/ is fresh again; prompt.md is as it was.`]));
  return 0;
}

function commitText({ commit }: ArchiveResult): string {
  if (commit === "made") return "Committed.";
  return commit === "no-repository"
    ? "Not committed: this is not a git repository."
    : `Not committed: ${commit.problem}`;
}
