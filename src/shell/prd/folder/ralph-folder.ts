import { existsSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";

/** Where the work files of a task list lie: `prd.md`, `tasks.json`, `progress.txt`, `prompt.md`. */
export type RalphFolder = {
  path: string;
  /** From the project directory, as people write it. */
  name: string;
  /** Whether one of the files is there. */
  isThere: boolean;
};

/** The work files; git keeps them. */
export const workFiles = ["prd.md", "tasks.json", "progress.txt", "prompt.md"] as const;

/** The folder that was asked for, else `ralph/`, else `.ralph/` when the files are there (CB-03). */
export function findRalphFolder(projectDir: string, asked: string | null): RalphFolder {
  if (asked !== null) return folderAt(projectDir, withinProject(projectDir, asked));
  const [visible, hidden] = ["ralph", ".ralph"].map((name) => folderAt(projectDir, join(projectDir, name)));
  if (visible === undefined || hidden === undefined) throw new RalphError("not-found", "There is no folder.");
  return !visible.isThere && hidden.isThere ? hidden : visible;
}

/** The same, and the file list must be there. */
export function requireRalphFolder(projectDir: string, asked: string | null): RalphFolder {
  const folder = findRalphFolder(projectDir, asked);
  const missing = workFiles.filter((name) => !existsSync(join(folder.path, name)));
  if (missing.length === 0) return folder;
  if (!folder.isThere)
    throw new RalphError("not-found", `There is no task list in ${folder.name}/.`, "Make one: ralph prd init");
  throw new RalphError(
    "not-found",
    `${missing.map((name) => `${folder.name}/${name}`).join(", ")} ${missing.length === 1 ? "is" : "are"} missing.`,
    "Restore it from git, or see a fresh one: ralph prd init --force (what is there is kept as *.old)",
  );
}

function folderAt(projectDir: string, path: string): RalphFolder {
  const name = relative(projectDir, path).replaceAll("\\", "/");
  return { path, name: name === "" ? "." : name, isThere: workFiles.some((file) => existsSync(join(path, file))) };
}

/** Work files are committed with the project, so they lie in it. */
function withinProject(projectDir: string, asked: string): string {
  const path = resolve(projectDir, asked);
  const real = existsSync(path) ? realpathSync(path) : path;
  const from = relative(projectDir, real);
  if (from.startsWith("..") || isAbsolute(from))
    throw new RalphError("usage", `--ralph-dir ${asked} is not in ${projectDir}.`, "Name a folder of the project.");
  if (existsSync(path) && !statSync(path).isDirectory())
    throw new RalphError("usage", `--ralph-dir ${asked} is not a folder.`);
  return real;
}
