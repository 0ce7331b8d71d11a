import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { beginList } from "../../../app/prd/begin-list.ts";
import { wireFiles } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, textOption } from "../input/read-input.ts";
import { prdContext, today } from "./prd-context.ts";

/** `ralph prd init`: the work files of a task list, from the templates. */
export default async function init({ options }: Input): Promise<number> {
  const { projectDir, folder } = prdContext(options);
  const { written, kept } = await beginList(wireFiles(), {
    projectDir,
    folder,
    name: textOption(options, "name"),
    date: today(),
    isForced: isOn(options, "force"),
  });
  if (isOn(options, "json")) {
    process.stdout.write(jsonResult({ folder: folder.name, written, kept }));
    return 0;
  }
  process.stdout.write(cleanLines(written));
  const lines = [
    ...(kept.length === 0 ? [] : [`Kept what was there: ${kept.join(", ")}`]),
    "Next:",
    `  1. Say what you want in ${folder.name}/prd.md, then: ralph prd plan --derive`,
    "     or let an agent ask you: ralph prd plan",
    `  2. Look at the stories in ${folder.name}/tasks.json: ralph prd status`,
    `  3. Commit the files: git add ${folder.name} .gitignore && git commit -m "task list"`,
    "  4. Start the loop: ralph prd run",
  ];
  process.stderr.write(cleanLines(lines));
  return 0;
}
