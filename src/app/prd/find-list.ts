import { findRalphFolder, type RalphFolder, requireRalphFolder } from "../../shell/prd/folder/ralph-folder.ts";

/** A project and the folder of its task list. */
export type ListContext = { projectDir: string; folder: RalphFolder };

/** Where a project has its list, or would have it; `asked` is the folder a person named. */
export function findList(projectDir: string, asked: string | null): ListContext {
  return { projectDir, folder: findRalphFolder(projectDir, asked) };
}

/** The same; a missing list or file is an error with its name. */
export function requireList(projectDir: string, asked: string | null): ListContext {
  return { projectDir, folder: requireRalphFolder(projectDir, asked) };
}
