import { putListAway } from "../../../app/prd/put-list-away.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { ArchiveResult } from "../../../shell/prd/folder/archive-list.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, textOption } from "../input/read-input.ts";
import { existingPrdContext, today } from "./prd-context.ts";

/** `ralph prd archive`: moves the list to `ralph-archive/` with a summary and creates a fresh one. */
export default async function archive({ options }: Input): Promise<number> {
  const place = existingPrdContext(options);
  const { folder } = place;
  const result = await putListAway(wireProgram(), { ...place, label: textOption(options, "label"), date: today() });
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
