import { realpathSync } from "node:fs";
import { join } from "node:path";
import { findLoosePaths, isListFile } from "../../core/prd/loose-paths.ts";
import { askGitInHook } from "../../shell/git/git-in-hook.ts";
import { contentMark, prefixFrom, repositoryTop } from "../../shell/prd/content-mark.ts";
import { workFiles } from "../../shell/prd/folder/ralph-folder.ts";
import { createSharedFiles } from "../../shell/lib/shared-files.ts";

/** What was uncommitted before the turn, and where the task list lies. */
export type TurnStart = { before: ReadonlyMap<string, string> | null; folder: string };

/** Paths that differ from HEAD by this turn (CW-4Q, R-106); null where git has nothing to say. */
export function findUncommitted(directory: string, { before, folder }: TurnStart): string[] | null {
  const projectDir = realpathSync(directory);
  const dirty = findDirty(projectDir);
  if (dirty === null) return null;
  const files = createSharedFiles();
  const top = repositoryTop(files, projectDir);
  const list = { prefix: prefixFrom(top, projectDir), folder, files: workFiles };
  const isOwn = (path: string): boolean => path.startsWith(`${list.prefix}.ralph/`) && !isWorkFile(path, list);
  return findLoosePaths(
    {
      dirty: dirty.filter((path) => !isOwn(path)),
      isAsBefore: (path) => before?.get(path) === contentMark(files, join(top, path)),
    },
    list,
  );
}

/** In `.ralph/`, where a list may lie, everything else is what ralph itself writes. */
function isWorkFile(path: string, list: Parameters<typeof isListFile>[1]): boolean {
  return isListFile(path, list) && workFiles.some((name) => path.endsWith(`/${name}`));
}

function findDirty(projectDir: string): string[] | null {
  const words = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", ...everything];
  const status = askGitInHook(projectDir, words);
  if (status === null) return null;
  return status
    .split("\0")
    .map((entry) => entry.slice(3))
    .filter((path) => path !== "");
}

/** The whole repository but the active file. */
const everything = [":/", ":(exclude).ralph-active"];
