/** The place of a task list in its repository; git's paths start at the top of the repository. */
export type ListPlaceInTree = {
  /** The project directory from the top, with a slash at the end; empty when it is the top. */
  prefix: string;
  /** The folder of the list from the project directory. */
  folder: string;
  /** Its files, where the folder is the project itself. */
  files: readonly string[];
};

/** Paths that differ from HEAD at the end of a turn, and whether each is as it was before the turn. */
export type DirtyTree = { dirty: readonly string[]; isAsBefore: (path: string) => boolean };

/**
 * The uncommitted work of a turn (CW-4Q, R-106): a file that is as a person left it does not belong to the turn; a file
 * that was changed further does. Files of the list must always be committed: the next turn and the review need them.
 */
export function findLoosePaths({ dirty, isAsBefore }: DirtyTree, list: ListPlaceInTree): string[] {
  return dirty.filter((path) => isListFile(path, list) || !isAsBefore(path));
}

/** Whether a path of git belongs to the task list. */
export function isListFile(path: string, { prefix, folder, files }: ListPlaceInTree): boolean {
  return folder === "." ? files.some((file) => path === `${prefix}${file}`) : path.startsWith(`${prefix}${folder}/`);
}
