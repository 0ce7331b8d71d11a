import { findRalphFolder, type RalphFolder, requireRalphFolder } from "../../../shell/prd/folder/ralph-folder.ts";
import { type Options, projectDirOption, textOption } from "../input/read-input.ts";

/** The project and the folder of its task list. */
export type PrdContext = { projectDir: string; folder: RalphFolder };

/** The place of a command, with or without a list. */
export function prdContext(options: Options): PrdContext {
  const projectDir = projectDirOption(options);
  return { projectDir, folder: findRalphFolder(projectDir, textOption(options, "ralphDir")) };
}

/** The same; a missing list or file is an error with its name. */
export function existingPrdContext(options: Options): PrdContext {
  const projectDir = projectDirOption(options);
  return { projectDir, folder: requireRalphFolder(projectDir, textOption(options, "ralphDir")) };
}

/** Today in local time, as `2026-11-15`. */
export function today(now = new Date()): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
