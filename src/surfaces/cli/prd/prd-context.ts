import { findList, type ListContext, requireList } from "../../../app/prd/find-list.ts";
import { type Options, projectDirOption, textOption } from "../input/read-input.ts";

/** The place of a command, with or without a list. */
export function prdContext(options: Options): ListContext {
  return findList(projectDirOption(options), textOption(options, "ralphDir"));
}

/** The same; a missing list or file is an error with its name. */
export function existingPrdContext(options: Options): ListContext {
  return requireList(projectDirOption(options), textOption(options, "ralphDir"));
}

/** Today in local time, as `2026-11-15`. */
export function today(now = new Date()): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
