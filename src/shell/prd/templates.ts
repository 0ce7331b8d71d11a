import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";

/** What is shipped in `templates/`. */
export type TemplateName = "prompt.md" | "prd-template.md" | "tasks-template.json" | "progress-template.md" | "plan.md";

/** Reads a template from beside this program: the folder lies above its code, in a checkout and in an installed package alike. */
export function readTemplate(name: TemplateName): string {
  const folder = foldersAbove(import.meta.dirname).find((each) => existsSync(join(each, "templates", name)));
  if (folder === undefined)
    throw new RalphError("not-found", `The template ${name} is not beside this program.`, "Install ralph again.");
  return readFileSync(join(folder, "templates", name), "utf8");
}

/** `dist/cli` and `src/shell/prd` lie at most three folders deep. */
const levelsMax = 4;

function foldersAbove(start: string): string[] {
  return Array.from({ length: levelsMax }).reduce<string[]>(
    (folders) => [...folders, dirname(folders.at(-1) ?? start)],
    [start],
  );
}
