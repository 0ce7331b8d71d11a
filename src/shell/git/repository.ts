import { dirname, join, relative, resolve } from "node:path";
import { readSharedText } from "../lib/read-shared-text.ts";
import type { DiskEntry, SharedFiles } from "../ports.ts";

/** A repository with a work tree, found by its files alone: no configuration can move it. */
export type Repository = {
  /** The top of the work tree. */
  top: string;
  /** `.git`, or in a linked work tree the folder that its `.git` file names. */
  gitDir: string;
  /** Where objects, references and the configuration are; the same as `gitDir` but in a linked work tree. */
  commonDir: string;
  /** What stands at `.git`: `other` is a link. Absent where an older version looked. */
  entry?: DiskEntry["kind"];
  /** From the top to the directory, with a slash at the end; empty at the top. */
  prefix: string;
};

/** Folders above each other that are looked at; a path has fewer. */
const depthMax = 200;

/** The repository of a directory; null without one. */
export function findRepository(disk: SharedFiles, directory: string): Repository | null {
  let top = resolve(directory);
  for (let depth = 0; depth < depthMax; depth++) {
    const entry = disk.look(join(top, ".git"))?.kind ?? null;
    const gitDir = entry === null ? null : gitDirAt(disk, top, entry);
    if (entry !== null && gitDir !== null) {
      const way = relative(top, resolve(directory));
      return { top, gitDir, commonDir: commonDirOf(disk, gitDir), entry, prefix: way === "" ? "" : `${way}/` };
    }
    if (dirname(top) === top) return null;
    top = dirname(top);
  }
  return null;
}

/** The variables that hold git to a repository, whatever `core.worktree` says. */
export function repositoryVariablesOf({ gitDir, top }: Repository): Record<string, string> {
  return { GIT_DIR: gitDir, GIT_WORK_TREE: top };
}

function gitDirAt(disk: SharedFiles, top: string, entry: DiskEntry["kind"]): string | null {
  const path = join(top, ".git");
  const gitDir = entry === "file" ? namedIn(disk, path, /^gitdir: (.+?)\s*$/) : path;
  return gitDir !== null && disk.look(join(gitDir, "HEAD")) !== null ? gitDir : null;
}

function commonDirOf(disk: SharedFiles, gitDir: string): string {
  return namedIn(disk, join(gitDir, "commondir"), /^(.+?)\s*$/) ?? gitDir;
}

/** The path that a small file names, from the file's folder; null when it names none. */
function namedIn(disk: SharedFiles, file: string, pattern: RegExp): string | null {
  try {
    const path = pattern.exec(readSharedText(file, disk) ?? "")?.[1];
    return path === undefined ? null : resolve(dirname(file), path);
  } catch {
    // A pipe, a folder or a flood names nothing.
    return null;
  }
}
