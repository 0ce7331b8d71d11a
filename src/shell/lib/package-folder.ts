import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";

/** A file or folder shipped beside this program: it lies above its code, in a checkout and in an installed package alike. */
export function shippedPath(...parts: readonly string[]): string {
  const folder = foldersAbove(import.meta.dirname).find((each) => existsSync(join(each, ...parts)));
  if (folder === undefined)
    throw new RalphError("not-found", `${parts.join("/")} is not beside this program.`, "Install ralph again.");
  return join(folder, ...parts);
}

/** `dist/cli` and `src/shell` lie at most three folders deep. */
const levelsMax = 4;

function foldersAbove(start: string): string[] {
  return Array.from({ length: levelsMax }).reduce<string[]>(
    (folders) => [...folders, dirname(folders.at(-1) ?? start)],
    [start],
  );
}
